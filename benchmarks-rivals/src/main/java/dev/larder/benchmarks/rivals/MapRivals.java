package dev.larder.benchmarks.rivals;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.lab.map.HashMapSubject;
import dev.larder.lab.map.MapChild;
import dev.larder.lab.map.MapSubject;
import dev.larder.lab.result.LabException;
import java.io.IOException;

/** The rivals of {@code larder lab map}, each in its own child process. */
public final class MapRivals {

    /** The spare entries for values that exist twice while they are replaced. */
    private static final long ROOM = 10_000;

    private MapRivals() {}

    /** Serves the lab with the rival that the argument names. */
    public static void main(String[] arguments) throws IOException {
        MapChild.serve(() -> named(arguments[0]));
    }

    static MapSubject named(String name) {
        return switch (name) {
            case "caffeine" ->
                new HashMapSubject(
                        shape -> Caffeine.newBuilder()
                                .maximumSize(shape.mostEntries() + ROOM)
                                .<Long, byte[]>build()
                                .asMap(),
                        "Caffeine, maximumSize of its entries and " + ROOM + " more");
            case "ohc" -> new OhcSubject();
            case "chronicle-map" -> new ChronicleMapSubject();
            case "ehcache" -> new EhcacheSubject();
            case "mapdb" -> new MapDbSubject();
            case "mvstore" -> new MvStoreSubject();
            case "lmdb" -> new LmdbSubject();
            case "rocksdb" -> new RocksDbSubject();
            default -> throw new LabException("unknown rival '" + name + "'");
        };
    }
}
