package dev.larder.tests.crash;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A process that fills a map and empties it, again and again, while the cleaner runs, so that pages of its index split and
 * merge. A file holds the number of changes that have returned.
 */
public final class MapShrinker {

    /** The most keys in the map: two pages of the index for each of its parts. */
    public static final int KEYS = 500_000;

    /** One key of this many stays. */
    public static final int KEPT = 64;

    private MapShrinker() {}

    /**
     * Returns the value of a key after a number of a process's changes; 0 for none. A lap puts all keys, one by one, then
     * removes them.
     */
    public static long valueAfter(long changes, int key) {
        long lap = changes / (2L * KEYS);
        long within = changes % (2L * KEYS);
        boolean isPut = within > key;
        boolean isRemoved = within > (long) KEYS + key && key % KEPT != 0;
        long last = isPut ? lap + 1 : key % KEPT == 0 ? lap : 0;
        return isRemoved ? 0 : last;
    }

    /** Returns the key in the map of a process's key. */
    public static long key(int number, int key) {
        return ((long) (number + 1) << 50) | key;
    }

    /**
     * Runs until it is killed. Arguments: the map's directory, the file of progress, its own number, the storage, when to die.
     */
    public static void main(String[] arguments) throws IOException {
        int number = Integer.parseInt(arguments[2]);
        Storage storage = arguments[3].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        Path file = Path.of(arguments[1]);
        MemorySegment progress = MapWriter.progress(file);
        Failpoints death = MapMember.steps(arguments[4], file);
        LarderMap<Long, Long> map = MapWriter.open(Path.of(arguments[0]), storage, death);
        System.out.println("READY");
        ChildThread.start("compact", () -> compact(map));
        ChildThread.start("change", () -> changeOnAndOn(map, progress, number));
    }

    private static void changeOnAndOn(LarderMap<Long, Long> map, MemorySegment progress, int number) {
        for (long changes = 0; ; changes++) {
            if (changes % (2L * KEYS) == 0) {
                map.compact(); // pages are small once removals are forgotten, before keys come back
            }
            change(map, number, changes);
            progress.setAtIndex(ValueLayout.JAVA_LONG, 0, changes + 1);
        }
    }

    private static void change(LarderMap<Long, Long> map, int number, long changes) {
        int key = (int) (changes % KEYS);
        boolean puts = changes / KEYS % 2 == 0;
        if (puts) {
            map.set(key(number, key), changes / (2L * KEYS) + 1);
        } else if (key % KEPT != 0) {
            map.remove(key(number, key));
        }
    }

    private static void compact(LarderMap<Long, Long> map) {
        while (true) {
            map.compact();
        }
    }
}
