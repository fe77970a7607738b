package dev.larder.tests.processes;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.crash.ChildThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Another process that shares a map: {@code <directory> <storage> put|churn|compact <pause in ms>}. It prints {@code READY},
 * and ends with its input.
 *
 * <p>{@code put} fills segments faster than a cleaner with this pause at each segment empties them, and cleans nothing.
 * {@code churn} cleans as well. {@code compact} prints {@code CLEANING} before its first pause.
 */
public final class MapCompany {

    /** The number of keys that are put over and over: so few that nearly all written bytes are dead. */
    public static final long KEYS = 10_000;

    /** Length of a value, in bytes. */
    public static final int LENGTH = 100;

    /** With a short park after this many puts, four segments take as long as a pause, or longer. */
    private static final int PUTS_A_BREATH = 2000;

    private static final int BREATHS_A_PAUSE = 64;
    private static final long SEGMENT_BYTES = 2L << 20;

    private MapCompany() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException {
        long pauseMillis = Long.parseLong(args[3]);
        boolean puts = !args[2].equals("compact");
        boolean cleans = !args[2].equals("put");
        Failpoints steps = puts ? Failpoints.NONE : slow(pauseMillis, () -> System.out.println("CLEANING"));
        try (LarderMap<Long, byte[]> map = open(Path.of(args[0]), args[1], steps, cleans)) {
            System.out.println("READY");
            ChildThread.start(args[2], puts ? () -> put(map, pauseMillis) : () -> compact(map));
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
            Runtime.getRuntime().halt(0); // a thread is in the middle of its work; exit without it
        }
    }

    private static void put(LarderMap<Long, byte[]> map, long pauseMillis) {
        for (long put = 0; ; put++) {
            map.set(-1 - put % KEYS, new byte[LENGTH]);
            if (put % PUTS_A_BREATH == 0) {
                LockSupport.parkNanos(pauseMillis * 1_000_000 / BREATHS_A_PAUSE);
            }
        }
    }

    private static void compact(LarderMap<Long, byte[]> map) {
        while (true) {
            map.compact();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Makes a cleaner pause at each segment; runs {@code first} before the first pause. */
    public static Failpoints slow(long pauseMillis, Runnable first) {
        AtomicBoolean told = new AtomicBoolean();
        return step -> {
            if (step.equals("clean.scanned")) {
                if (told.compareAndSet(false, true)) {
                    first.run();
                }
                LockSupport.parkNanos(pauseMillis * 1_000_000);
            }
        };
    }

    /** Opens the map with a background cleaner. */
    public static LarderMap<Long, byte[]> open(Path directory, String storage, Failpoints steps) {
        return open(directory, storage, steps, true);
    }

    /** Opens the map read-only. */
    public static LarderMap<Long, byte[]> openReadOnly(Path directory, String storage) {
        return LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                options(storage, Failpoints.NONE).withReadOnly(true));
    }

    private static LarderMap<Long, byte[]> open(Path directory, String storage, Failpoints steps, boolean cleans) {
        Cleaning cleaning = Cleaning.defaults().withBackground(cleans);
        MapOptions options =
                MapOptions.defaults().withLog(options(storage, steps)).withCleaning(cleaning);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }

    private static LogOptions options(String storage, Failpoints steps) {
        return HookedOptions.withFailpoints(
                        HookedOptions.withStorage(
                                LogOptions.defaults(),
                                storage.equals("system") ? SystemStorage.system() : SystemStorage.portable()),
                        steps)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }
}
