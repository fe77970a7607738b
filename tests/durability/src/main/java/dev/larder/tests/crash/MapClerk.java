package dev.larder.tests.crash;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes and reads a few keys that other processes change and read at the same time. Notes each call and its result, until it
 * has made all, or is killed. The notes lie in a file of the process's own, in memory, so a kill loses none.
 *
 * <pre>
 * note, 64 bytes   | kind 8 | key 8 | argument 8 | result 8 | called 8 | returned 8 | gap 16 |
 *                                                              0: not yet
 * file             | notes of thread 0 ... | notes of thread 1 ... |
 * </pre>
 *
 * Times come from {@link System#nanoTime}, which on Linux all processes of a machine share. Arguments: directory, file of
 * notes, number of the clerk, storage, {@code none} or {@code step:count} at which to die.
 */
public final class MapClerk {

    /** How many threads a clerk has. */
    public static final int THREADS = 2;

    /** The most notes that a thread writes. */
    public static final int NOTES = 20_000;

    /** How many keys the clerks share. */
    public static final int KEYS = 5;

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int NOTE_BYTES = 64;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private MapClerk() {}

    /** The method that was called. A value is never 0; a result of 0 means none. */
    public enum Kind {
        /** {@code get}. */
        GET,
        /** {@code put}: the result is the value before. */
        PUT,
        /** {@code remove}: the result is the value before. */
        REMOVE,
        /** {@code putIfAbsent}: the result is the value that was there. */
        PUT_IF_ABSENT,
        /** {@code compute}: the result is {@link #computed}. */
        COMPUTE
    }

    /** A note; {@code returned} is 0 if the call did not return. */
    public record Note(Kind kind, long key, long argument, long result, long called, long returned) {}

    /** Returns the value that {@code compute} makes of a value and an argument; 0 is none. */
    public static long computed(long value, long argument) {
        return argument % 3 == 0 ? 0 : ((value * 31 + argument) & Long.MAX_VALUE) | 1;
    }

    /** Maps a file of notes. */
    public static MemorySegment notes(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, (long) THREADS * NOTES * NOTE_BYTES, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a note; empty if there is none. */
    public static Optional<Note> read(MemorySegment notes, int thread, int number) {
        long at = at(thread, number);
        long called = (long) LONG.getAcquire(notes, at + 32);
        long returned = (long) LONG.getAcquire(notes, at + 40);
        return called == 0
                ? Optional.empty()
                : Optional.of(new Note(
                        KINDS.get((int) notes.get(ValueLayout.JAVA_LONG, at)),
                        notes.get(ValueLayout.JAVA_LONG, at + 8),
                        notes.get(ValueLayout.JAVA_LONG, at + 16),
                        notes.get(ValueLayout.JAVA_LONG, at + 24),
                        called,
                        returned));
    }

    private static long at(int thread, int number) {
        return ((long) thread * NOTES + number) * NOTE_BYTES;
    }

    /** Runs until it has made all its calls, or until it is killed. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MemorySegment notes = notes(Path.of(arguments[1]));
        int clerk = Integer.parseInt(arguments[2]);
        Storage storage = arguments[3].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        Failpoints steps = MapWriter.death(arguments[4]);
        Conversation parent = new Conversation();
        try (LarderMap<Long, Long> map = MapWriter.open(Path.of(arguments[0]), storage, steps)) {
            parent.say("READY");
            Thread[] threads = new Thread[THREADS];
            for (int thread = 0; thread < THREADS; thread++) {
                int own = thread;
                threads[thread] = ChildThread.start("work " + own, () -> work(map, notes, clerk, own));
            }
            AtomicBoolean done = new AtomicBoolean();
            Thread compacting = ChildThread.start("compact", () -> compact(map, done));
            for (Thread thread : threads) {
                thread.join();
            }
            done.set(true);
            compacting.join();
        }
        parent.say("DONE");
    }

    /** Fills the log, so that there is something to clean, and cleans it. */
    private static void compact(LarderMap<Long, Long> map, AtomicBoolean done) {
        for (long filler = 1_000_000; !done.get(); filler++) {
            map.set(1_000_000 + filler % 50_000, filler);
            if (filler % 100_000 == 0) {
                map.compact();
            }
        }
    }

    private static void work(LarderMap<Long, Long> map, MemorySegment notes, int clerk, int thread) {
        SplittableRandom random = new SplittableRandom(clerk * 64L + thread);
        for (int number = 0; number < NOTES; number++) {
            int code = random.nextInt(KINDS.size());
            Kind kind = KINDS.get(code);
            long key = random.nextInt(KEYS);
            long argument = ((clerk * 64L + thread) << 32) + number + 1;
            long at = at(thread, number);
            notes.set(ValueLayout.JAVA_LONG, at, code);
            notes.set(ValueLayout.JAVA_LONG, at + 8, key);
            notes.set(ValueLayout.JAVA_LONG, at + 16, argument);
            LONG.setRelease(notes, at + 32, System.nanoTime());
            notes.set(ValueLayout.JAVA_LONG, at + 24, call(map, kind, key, argument));
            LONG.setRelease(notes, at + 40, System.nanoTime());
            if (random.nextInt(20) == 0) {
                LockSupport.parkNanos(random.nextInt(100_000));
            }
        }
    }

    private static long call(LarderMap<Long, Long> map, Kind kind, long key, long argument) {
        Long result = switch (kind) {
            case GET -> map.get(key);
            case PUT -> map.put(key, argument);
            case REMOVE -> map.remove(key);
            case PUT_IF_ABSENT -> map.putIfAbsent(key, argument);
            case COMPUTE ->
                map.compute(key, (same, value) -> {
                    long made = computed(value == null ? 0 : value, argument);
                    return made == 0 ? null : made;
                });
        };
        return result == null ? 0 : result;
    }
}
