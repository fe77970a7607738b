package dev.larder.lab.map;

import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.RivalClassPath;
import dev.larder.lab.process.RivalFlags;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map for the comparison, and the start of its process.
 *
 * @param name in options and results
 * @param rival whether it is another library: its process has the class path of {@code benchmarks-rivals}
 * @param onHeap whether entries are on the heap, which must then exceed their size
 * @param flags of the JVM that it requires of its users
 */
record MapKind(String name, boolean rival, boolean onHeap, List<String> flags) {

    static final String LARDER = "larder";

    /** Appends to a queue, which drops its oldest messages by {@link LogSubject}'s retention. */
    static final String LOG = "log";

    /** The baseline; not a map. */
    static final MapKind PLAIN = new MapKind("plain", false, false, List.of());

    /** Every map, in the order of results. */
    static final List<MapKind> ALL = List.of(
            new MapKind(LARDER, false, false, List.of()),
            new MapKind("larder-cache", false, false, List.of()),
            new MapKind("larder-tight", false, false, List.of()),
            new MapKind(LOG, false, false, List.of()),
            new MapKind("concurrent-hash-map", false, true, List.of()),
            new MapKind("plain-file", false, false, List.of()),
            new MapKind("mapped-file", false, false, List.of()),
            new MapKind("caffeine", true, true, List.of()),
            new MapKind("ohc", true, false, List.of(RivalFlags.NATIVE, RivalFlags.UNSAFE)),
            new MapKind("chronicle-map", true, false, RivalFlags.CHRONICLE),
            new MapKind("ehcache", true, false, List.of(RivalFlags.UNSAFE)),
            new MapKind("mapdb", true, false, List.of(RivalFlags.NATIVE, RivalFlags.UNSAFE)),
            new MapKind("mvstore", true, false, List.of()),
            new MapKind("lmdb", true, false, RivalFlags.LMDB),
            new MapKind("rocksdb", true, false, List.of(RivalFlags.NATIVE)));

    private static final String RIVALS = "dev.larder.benchmarks.rivals.MapRivals";
    private static final long MIB = 1L << 20;

    /** The heap bytes of an entry on the heap: key, entry, array, and as much again for the collector. */
    private static final long ON_HEAP_ENTRY_BYTES = 160;

    /** Maps outside the heap keep tables, caches or buffers there. */
    private static final long SMALL_HEAP_BYTES = 512 * MIB;

    /** Returns whether it is Larder, which must neither fail nor give wrong answers. */
    static boolean isOurs(String name) {
        return name.startsWith(LARDER);
    }

    static MapKind named(String name) {
        return ALL.stream()
                .filter(kind -> kind.name.equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("--subjects " + name + ": no such map; there are: " + ALL));
    }

    /**
     * Returns the size of its heap. With a limit, which includes the heap, a map with entries elsewhere takes an eighth of it.
     *
     * @param limitBytes of its process and the file pages that it loads; null for none
     */
    long heapBytes(MapShape shape, @Nullable Long limitBytes) {
        long entries = 2 * (shape.mostBytes() + shape.mostEntries() * ON_HEAP_ENTRY_BYTES);
        long small = limitBytes == null ? SMALL_HEAP_BYTES : Math.clamp(limitBytes / 8, 32 * MIB, SMALL_HEAP_BYTES);
        return onHeap ? (256 * MIB + entries) / MIB * MIB : small;
    }

    /** Returns its limit for the JVM's own buffers outside the heap; some maps allocate all of it at the start. */
    static long directBytes(MapShape shape) {
        return 1024 * MIB + 3 * (shape.mostBytes() + shape.mostEntries() * ON_HEAP_ENTRY_BYTES);
    }

    List<String> command(MapShape shape, @Nullable Long limitBytes) {
        List<String> all = new ArrayList<>(flags);
        all.add("-XX:+UseParallelGC");
        all.add("-XX:+AlwaysPreTouch");
        all.add("-XX:MaxDirectMemorySize=" + (directBytes(shape) >> 10) + "k");
        long heap = heapBytes(shape, limitBytes);
        List<String> command = new ArrayList<>(
                rival ? RivalClassPath.command(heap, RIVALS, all) : JavaProcess.command(heap, MapChild.class, all));
        command.add(name);
        return command;
    }

    /** Returns why it cannot start here; null if it can. */
    @Nullable
    String missingReason() {
        try {
            return rival && RivalClassPath.find().isEmpty() ? "no class path" : null;
        } catch (LarderException e) {
            return e.getMessage();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
