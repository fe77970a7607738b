package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes a map from several threads, each with its own keys, until it is killed. Another thread makes checkpoints, and another
 * one cleans. A change follows from round, thread and number. A file in memory holds how many have returned. Arguments:
 * directory, file of progress, round, storage, {@code none}, {@code step:count} at which to die, or {@code wait:step:count}.
 */
public final class MapWriter {

    /** How many threads make changes. */
    public static final int THREADS = 2;

    /** The number of keys of a further thread, which loads all of them again and again. */
    public static final int LOADED_KEYS = 20_000;

    /** The exit code of a process that died at the step of its plan. */
    public static final int DIED_AT_STEP = 9;

    private static final String WAIT = "wait:";
    private static final int MANY_KEYS = 200_000;
    private static final int FEW_KEYS = 5_000;

    private MapWriter() {}

    /** A change of a thread's key: a value from 1 on, or 0 for its removal. */
    public record Change(int key, long value) {

        /** Returns the change with a number, from 0 on. */
        public static Change of(int round, int thread, long number) {
            SplittableRandom random = new SplittableRandom((round * 64L + thread) << 32 | number);
            int key = random.nextInt(keys(round));
            return new Change(key, random.nextInt(5) == 0 ? 0 : number + 1);
        }
    }

    /** Returns how many keys each thread has. With many, the index grows; with few, nearly all of the log is dead. */
    public static int keys(int round) {
        return round % 2 == 0 ? MANY_KEYS : FEW_KEYS;
    }

    /** Returns the key in the map. */
    public static long key(int round, int thread, int key) {
        return ((long) round << 40) | ((long) thread << 32) | key;
    }

    /** Opens the map as the test does: with small segments, so that each round cleans some. */
    public static LarderMap<Long, Long> open(Path directory, Storage storage, Failpoints steps) {
        LogOptions log = MapKind.log(storage, steps);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), log);
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws IOException {
        int round = Integer.parseInt(arguments[2]);
        Storage storage = arguments[3].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        MemorySegment progress = progress(Path.of(arguments[1]));
        LarderMap<Long, Long> map = open(Path.of(arguments[0]), storage, death(arguments[4]));
        for (int thread = 0; thread < THREADS; thread++) {
            int own = thread;
            ChildThread.start("change " + own, () -> change(map, progress, round, own));
        }
        ChildThread.start("load", () -> load(map, progress, round));
        ChildThread.start("compact", () -> compact(map));
        ChildThread.start("checkpoint", () -> checkpoint(map));
    }

    /** Gives all keys the number of the lap. Notes each lap that has returned behind the changes of the threads. */
    private static void load(LarderMap<Long, Long> map, MemorySegment progress, int round) {
        for (long lap = 1; ; lap++) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (int key = 0; key < LOADED_KEYS; key++) {
                    loader.put(key(round, THREADS, key), lap);
                }
            }
            progress.setAtIndex(ValueLayout.JAVA_LONG, THREADS, lap);
        }
    }

    private static void checkpoint(LarderMap<Long, Long> map) {
        while (true) {
            map.checkpoint();
        }
    }

    /** Cleans, again as soon as the cleaner has ended. Another process that cleans may have been stopped by the test. */
    private static void compact(LarderMap<Long, Long> map) {
        while (true) {
            try {
                map.compact();
            } catch (LogBusyException e) {
                System.err.println(e);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Maps the file of progress: the number of changes that have returned, for each thread, and of laps. */
    public static MemorySegment progress(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, 8L * (THREADS + 1), Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void change(LarderMap<Long, Long> map, MemorySegment progress, int round, int thread) {
        for (long number = 0; ; number++) {
            Change change = Change.of(round, thread, number);
            long key = key(round, thread, change.key());
            if (change.value() == 0) {
                map.remove(key);
            } else {
                map.put(key, change.value());
            }
            progress.setAtIndex(ValueLayout.JAVA_LONG, thread, number + 1);
        }
    }

    /**
     * Dies at a step's n-th time as a killed process does: without another instruction. With {@code wait:} before it, the
     * thread prints where it is, and stays there.
     */
    static Failpoints death(String plan) {
        if (plan.equals("none")) {
            return Failpoints.NONE;
        }
        boolean waits = plan.startsWith(WAIT);
        String[] parts = (waits ? plan.substring(WAIT.length()) : plan).split(":", 2);
        AtomicLong left = new AtomicLong(Long.parseLong(parts[1]));
        return reached -> {
            if (reached.equals(parts[0]) && left.decrementAndGet() == 0) {
                end(waits, reached);
            }
        };
    }

    private static void end(boolean waits, String step) {
        if (!waits) {
            Runtime.getRuntime().halt(DIED_AT_STEP);
        }
        System.out.println("AT " + step);
        while (true) {
            LockSupport.park();
        }
    }
}
