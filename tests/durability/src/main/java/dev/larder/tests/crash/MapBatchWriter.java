package dev.larder.tests.crash;

import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts many keys at a time, again and again, until it is killed: one thread with a loader, another one with {@code putAll}.
 * Each lap gives all keys of its thread the lap's number. A file holds the last lap that has returned. Arguments: directory,
 * file of progress, round, and when to die, as for {@link MapWriter}.
 */
public final class MapBatchWriter {

    /** The loader's keys; it needs several batches for them. */
    public static final int LOADED_KEYS = 20_000;

    /** The keys of putAll. */
    public static final int PUT_KEYS = 500;

    /** The loader's number among the threads, for {@link MapWriter#key} and the file of progress. */
    public static final int LOADER = 0;

    /** The number of the thread that calls putAll. */
    public static final int PUTTER = 1;

    private MapBatchWriter() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws IOException {
        int round = Integer.parseInt(arguments[2]);
        MemorySegment progress = MapWriter.progress(Path.of(arguments[1]));
        LarderMap<Long, Long> map =
                MapWriter.open(Path.of(arguments[0]), SystemStorage.system(), MapWriter.death(arguments[3]));
        ChildThread.start("load", () -> load(map, progress, round));
        ChildThread.start("put", () -> putAll(map, progress, round));
    }

    private static void putAll(LarderMap<Long, Long> map, MemorySegment progress, int round) {
        for (long lap = 1; ; lap++) {
            map.putAll(entries(round, lap));
            progress.setAtIndex(ValueLayout.JAVA_LONG, PUTTER, lap);
        }
    }

    private static Map<Long, Long> entries(int round, long lap) {
        Map<Long, Long> entries = new HashMap<>();
        for (int key = 0; key < PUT_KEYS; key++) {
            entries.put(MapWriter.key(round, PUTTER, key), lap);
        }
        return entries;
    }

    private static void load(LarderMap<Long, Long> map, MemorySegment progress, int round) {
        for (long lap = 1; ; lap++) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (int key = 0; key < LOADED_KEYS; key++) {
                    loader.put(MapWriter.key(round, LOADER, key), lap);
                }
            }
            progress.setAtIndex(ValueLayout.JAVA_LONG, LOADER, lap);
        }
    }
}
