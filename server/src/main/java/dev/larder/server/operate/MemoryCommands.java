package dev.larder.server.operate;

import dev.larder.map.MapInfo;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.operate.Figures.Seen;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code MEMORY} and its subcommands, except {@code USAGE}, which is about a key. */
final class MemoryCommands {

    private static final int PERCENT = 100;

    private final Figures figures;

    MemoryCommands(Figures figures) {
        this.figures = figures;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "memory|doctor", this::advise,
                "memory|malloc-stats", this::allocator,
                "memory|purge", (session, request) -> session.reply().ok(),
                "memory|stats", this::stats);
    }

    private void stats(Session session, Request request) {
        List<Seen> maps = figures.look();
        long used = figures.usedBytes(maps);
        long peak = figures.peakBytes();
        long live = Figures.sum(maps, info -> info.space().liveBytes());
        long keys = figures.stores().stream().mapToLong(Store::size).sum();
        Map<String, Number> values = new LinkedHashMap<>();
        values.put("peak.allocated", peak);
        values.put("total.allocated", used);
        values.put("heap.used", Figures.heapBytes());
        values.put("heap.limit", Runtime.getRuntime().maxMemory());
        values.put("index.bytes", Figures.sum(maps, MapInfo::indexBytes));
        values.put("files.bytes", Figures.sum(maps, info -> info.space().fileBytes()));
        values.put("replication.backlog", 0);
        values.put("clients.slaves", 0);
        values.put("keys.count", keys);
        values.put("keys.bytes-per-key", keys == 0 ? 0 : live / keys);
        values.put("dataset.bytes", live);
        values.put("peak.percentage", used * (double) PERCENT / Math.max(1, peak));
        values.put("fragmentation", ProcessFigures.residentBytes() / (double) Math.max(1, used));
        ReplyEncoder reply = session.reply();
        reply.map(values.size());
        values.forEach((name, value) -> {
            reply.text(name);
            if (value instanceof Double real) {
                reply.real(real);
            } else {
                reply.integer(value.longValue());
            }
        });
    }

    private void advise(Session session, Request request) {
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        String text = heap > runtime.maxMemory() / PERCENT * 90
                ? "The heap is nearly full: " + Lines.human(heap) + " of " + Lines.human(runtime.maxMemory()) + ".\n"
                : "Nothing is wrong: the heap has " + Lines.human(heap) + " of " + Lines.human(runtime.maxMemory())
                        + " in use; keys and values are in files, whose pages the system drops when it needs memory.\n";
        session.reply().verbatim("txt", text);
    }

    private void allocator(Session session, Request request) {
        Runtime runtime = Runtime.getRuntime();
        session.reply()
                .verbatim(
                        "txt",
                        "heap: used " + (runtime.totalMemory() - runtime.freeMemory()) + ", committed "
                                + runtime.totalMemory() + ", limit " + runtime.maxMemory() + " bytes\nindexes: "
                                + Figures.sum(figures.look(), MapInfo::indexBytes) + " bytes\n");
    }
}
