package dev.larder.tests.crash;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.map.MapLoader;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * One of several processes that share a map, until it is killed. It makes the changes of a {@link MapWriter}, and reads what it
 * has put. It also loads, cleans and makes checkpoints, with pauses, because the others do so, too. Each change of its first
 * thread is progress that a test sees, so the test also sees how long that thread has waited.
 *
 * <p>Arguments: directory, file of changes, number, storage, {@code none} or {@code step:count} at which to die, kind of the
 * map ({@link MapKind}).
 */
public final class MapMember {

    private static final String READY = "READY";
    private static final int BURST = 16;
    private static final long BREATH_NANOS = 100_000;
    private static final long LOAD_PAUSE_NANOS = 20_000_000;
    private static final long CLEANING_PAUSE_NANOS = 5_000_000;
    private static final long CHECKPOINT_PAUSE_NANOS = 50_000_000;

    private MapMember() {}

    /** Returns the file of a process's progress, beside the file of its changes. */
    public static Path gaps(Path changes) {
        return changes.resolveSibling(changes.getFileName() + ".gaps");
    }

    /** Returns the folder in which all processes note the steps that they pass, beside their changes. */
    public static Path passed(Path changes) {
        return changes.resolveSibling("passed");
    }

    /** Returns the failpoints of a plan; each step that the process passes is noted. */
    static Failpoints steps(String plan, Path changes) {
        return new PassedSteps(passed(changes), MapWriter.death(plan));
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws IOException {
        Path changes = Path.of(arguments[1]);
        int number = Integer.parseInt(arguments[2]);
        Storage storage = arguments[3].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        MapKind kind = MapKind.valueOf(arguments[5]);
        MemorySegment counts = MapWriter.progress(changes);
        Progress progress = new Progress(gaps(changes));
        LarderMap<Long, Long> map = kind.open(Path.of(arguments[0]), storage, steps(arguments[4], changes));
        System.out.println(READY);
        progress.watchHiccups();
        ChildThread.start("load", () -> load(map, kind, counts, number));
        if (!kind.forgets()) { // else the background cleans it, or a put that finds no room
            ChildThread.start("compact", () -> repeat(map::compact, CLEANING_PAUSE_NANOS));
        }
        ChildThread.start("checkpoint", () -> repeat(map::checkpoint, CHECKPOINT_PAUSE_NANOS));
        ChildThread.start("change", () -> change(new OwnKeys(map, kind, number, 1), kind, counts, 1, count -> {}));
        ChildThread.start("progress", () -> change(new OwnKeys(map, kind, number, 0), kind, counts, 0, progress::done));
    }

    /** Makes changes, with short pauses: three such processes and a cleaner that keeps up share two processors. */
    private static void change(OwnKeys keys, MapKind kind, MemorySegment counts, int thread, LongConsumer done) {
        for (long count = 0; ; count++) {
            keys.change(count);
            counts.setAtIndex(ValueLayout.JAVA_LONG, thread, count + 1);
            done.accept(count + 1);
            if (count % BURST == 0) {
                LockSupport.parkNanos(BREATH_NANOS * kind.pauses());
            }
        }
    }

    /** Gives all keys the number of the lap. Notes each lap that has returned behind the changes of the threads. */
    private static void load(LarderMap<Long, Long> map, MapKind kind, MemorySegment counts, int number) {
        for (long lap = 1; ; lap++) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (int key = 0; key < MapWriter.LOADED_KEYS; key++) {
                    loader.put(MapWriter.key(number, MapWriter.THREADS, key), lap);
                }
            }
            counts.setAtIndex(ValueLayout.JAVA_LONG, MapWriter.THREADS, lap);
            LockSupport.parkNanos(LOAD_PAUSE_NANOS * kind.pauses());
        }
    }

    private static void repeat(Runnable work, long pauseNanos) {
        while (true) {
            work.run();
            LockSupport.parkNanos(pauseNanos);
        }
    }
}
