package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSnapshot;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A process that stays in the middle of reading a map: inside the handler of a read, or with a snapshot. It prints
 * {@code INSIDE}, and continues at the next line of its input. Then it prints {@code SAME} if it still reads the same bytes,
 * and ends at the next line.
 *
 * <p>Arguments: directory, storage, {@code handler} or {@code snapshot}.
 */
public final class MapReader {

    /** How many entries the map has. This process reads one of them, or all. */
    public static final int KEYS = 8_000;

    /** The most bytes of the map's files. */
    public static final long MOST_BYTES = 48L << 20;

    private static final long KEY = 5;
    private static final int VALUE_BYTES = 1000;
    private static final long SEGMENT_BYTES = 2L << 20;

    private MapReader() {}

    /** Opens the map with this limit and a background cleaner. */
    public static LarderMap<Long, byte[]> open(Path directory, Storage storage) {
        return open(directory, storage, true);
    }

    private static LarderMap<Long, byte[]> open(Path directory, Storage storage, boolean background) {
        LogOptions log = HookedOptions.withStorage(LogOptions.defaults(), storage)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withSync(SyncPolicy.none());
        MapOptions options = MapOptions.defaults()
                .withLog(log)
                .withCleaning(Cleaning.defaults().withMaxBytes(MOST_BYTES).withBackground(background));
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    /** Returns the value of a key in a version; the first version is 0. */
    public static byte[] value(long key, long version) {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte) (key * 31 + version));
        return value;
    }

    private static boolean isFirst(long key, MemorySegment segment, long offset, int length) {
        return Arrays.equals(value(key, 0), segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    /**
     * Runs until it has read, or is killed. It does not clean: if it were stopped while cleaning, no other process could clean.
     */
    public static void main(String[] arguments) {
        Storage storage = arguments[1].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        Conversation parent = new Conversation();
        try (LarderMap<Long, byte[]> map = open(Path.of(arguments[0]), storage, false)) {
            boolean same = arguments[2].equals("handler") ? readSlowly(map, parent) : readSnapshot(map, parent);
            parent.say(same ? "SAME" : "OTHER");
            parent.awaitGo();
        }
        System.exit(0);
    }

    private static boolean readSlowly(LarderMap<Long, byte[]> map, Conversation parent) {
        boolean[] same = new boolean[1];
        map.read(KEY, (segment, offset, length) -> {
            boolean before = isFirst(KEY, segment, offset, length);
            parent.say("INSIDE");
            parent.awaitGo();
            same[0] = before && isFirst(KEY, segment, offset, length);
        });
        return same[0];
    }

    private static boolean readSnapshot(LarderMap<Long, byte[]> map, Conversation parent) {
        try (MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
            parent.say("INSIDE");
            parent.awaitGo();
            long same = 0;
            for (long key = 0; key < KEYS; key++) {
                same += Arrays.equals(value(key, 0), snapshot.get(key)) ? 1 : 0;
            }
            return same == KEYS;
        }
    }
}
