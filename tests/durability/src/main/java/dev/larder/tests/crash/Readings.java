package dev.larder.tests.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The messages that a named tailer was handed, and how many it has committed. They lie in a mapped file outside the queue,
 * which outlives the process, whatever kills it.
 *
 * <pre>
 * 0  | taken over at, ns | readings | committing | committed |      counts of readings; 0: nothing yet
 * 64 | position | first word | sum |                                 each message, or gap, 24 B
 * </pre>
 */
public final class Readings {

    /** In place of a sum: the handler was given the message, but has not looked at its bytes yet. */
    public static final long NOT_LOOKED_AT = -1;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final VarHandle WORDS = WORD.varHandle();
    private static final long TAKEN_OVER = 0;
    private static final long COUNT = 8;
    private static final long COMMITTING = 16;
    private static final long COMMITTED = 24;
    private static final long LIST = 64;
    private static final long READING_BYTES = 24;
    private static final long SIZE_BYTES = 96L << 20; // sparse

    private final MemorySegment memory;

    /** Opens, or makes, a file. */
    public Readings(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE_BYTES, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Records that this process now owns the name. As all methods below, for one thread only. */
    void takenOver() {
        WORDS.setRelease(memory, TAKEN_OVER, System.nanoTime());
    }

    /** Records that the handler was given a message, before it looks at the bytes. */
    void begin(long position, long word) {
        long at = at(count());
        memory.set(WORD, at, position);
        memory.set(WORD, at + 8, word);
        memory.set(WORD, at + 16, NOT_LOOKED_AT);
        WORDS.setRelease(memory, COUNT, count() + 1);
    }

    /** Records the sum of the last message's bytes. */
    void looked(long sum) {
        WORDS.setRelease(memory, at(count() - 1) + 16, sum);
    }

    /** Records that the messages from this position on were dropped. */
    void gap(long position) {
        begin(position, QueueTailer.GAP);
        looked(1);
    }

    /** Records that the process is about to move the name's place behind everything so far. */
    void committing() {
        WORDS.setRelease(memory, COMMITTING, count());
    }

    /** Records that the place was moved. */
    void committed() {
        WORDS.setRelease(memory, COMMITTED, (long) WORDS.getAcquire(memory, COMMITTING));
    }

    /** Returns when the process took the name over, on the clock that all processes share; 0 if it did not. */
    public long takenOverNanos() {
        return (long) WORDS.getAcquire(memory, TAKEN_OVER);
    }

    /** Returns how many messages and gaps there are. */
    public long count() {
        return (long) WORDS.getAcquire(memory, COUNT);
    }

    /** Returns how many messages and gaps the last commit that had begun was to commit. */
    public long committingCount() {
        return (long) WORDS.getAcquire(memory, COMMITTING);
    }

    /** Returns how many messages and gaps the last commit that had returned has committed. */
    public long committedCount() {
        return (long) WORDS.getAcquire(memory, COMMITTED);
    }

    public long position(long index) {
        return memory.get(WORD, at(index));
    }

    public long word(long index) {
        return memory.get(WORD, at(index) + 8);
    }

    public long sum(long index) {
        return memory.get(WORD, at(index) + 16);
    }

    private static long at(long index) {
        return LIST + index * READING_BYTES;
    }
}
