package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.load.TargetLoop;
import dev.larder.lab.load.TargetServer;
import dev.larder.lab.result.Require;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The process that holds the values and serves requests.
 *
 * <ul>
 *   <li>{@code start {"keys", "threads", "directory"}}: fills a new store with the keys, and answers with {@code port} and {@code fill_ms};
 *   <li>{@code refresh {"per_second"}}: begins a bulk load beside the requests;
 *   <li>{@code refreshed}: answers with its {@code count} so far, and the time, {@code nanos};
 *   <li>{@code unmapped}: answers with the store's memory that its process does not map, {@code bytes}.
 * </ul>
 */
public final class HeapTarget {

    private final ValueStore.Maker maker;
    private @Nullable ValueStore store;
    private long keys;
    private @Nullable Refresh refresh;

    private HeapTarget(ValueStore.Maker maker) {
        this.maker = maker;
    }

    /** Serves a conductor until it ends, with a store by name. */
    public static void main(String[] arguments) throws IOException {
        serve(
                switch (arguments[0]) {
                    case "concurrent-hash-map" ->
                        (keys, folder) -> new MapStore(new ConcurrentHashMap<>((int) Math.min(keys, 1 << 29)));
                    case "region" -> (keys, folder) -> new RegionStore(keys);
                    default -> (keys, folder) -> new LarderValueStore(folder);
                });
    }

    /** Serves a conductor until it ends, with a store. */
    public static void serve(ValueStore.Maker maker) throws IOException {
        HeapTarget target = new HeapTarget(maker);
        TargetLoop loop = new TargetLoop();
        loop.commands()
                .on("start", target::start)
                .on("refresh", target::refresh)
                .on("refreshed", arguments -> target.refreshed())
                .on("unmapped", arguments -> target.unmapped());
        loop.serve();
    }

    private Figures start(Figures settings) {
        long filled = settings.whole("keys");
        ValueStore made = maker.make(filled, Path.of(settings.text("directory")));
        long start = System.nanoTime();
        byte[] bytes = new byte[Value.BYTES];
        for (long key = 0; key < filled; key++) {
            Value.write(bytes, key, key);
            made.put(key, bytes);
        }
        store = made;
        keys = filled;
        TargetServer server = TargetServer.onLoopback(new HeapService(made, filled), (int) settings.whole("threads"));
        return new Figures().put("port", server.address().getPort()).put("fill_ms", (System.nanoTime() - start) / 1e6);
    }

    private ValueStore store() {
        return Require.present(store, "nothing was started");
    }

    private Figures unmapped() {
        return new Figures().put("bytes", store().unmappedBytes());
    }

    private Figures refresh(Figures settings) {
        ValueStore filled = store();
        Refresh earlier = refresh;
        if (earlier != null) {
            earlier.close();
        }
        refresh = new Refresh(filled, keys, settings.number("per_second"));
        return new Figures();
    }

    private Figures refreshed() {
        Refresh running = refresh;
        return new Figures().put("count", running == null ? 0 : running.done()).put("nanos", System.nanoTime());
    }
}
