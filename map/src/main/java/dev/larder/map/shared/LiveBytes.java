package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.APART_FROM;
import static dev.larder.map.format.IndexFileLayout.LIVE_BYTES;
import static dev.larder.map.format.IndexFileLayout.STRIPE_BEFORE;
import static dev.larder.map.format.IndexFileLayout.STRIPE_BEHIND;
import static dev.larder.map.format.IndexFileLayout.STRIPE_LIVE;

import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * The number of bytes in the log that are records of entries. It is exact, as every change of a word adds the new record and
 * subtracts the replaced one. The exceptions are changes in progress, and what each thread of a killed process was changing:
 * one record, or the group of a loader.
 *
 * <pre>
 *  live bytes   known at the opening + the sum of all stripes of all processes, also of those that have left
 *  stripe       | bytes 8 | of these behind a position 8 | of reads, 16 | of these before it 8 | gap 24 |
 * </pre>
 *
 * <p>Only a map that crashed after its checkpoint was written beside writers does not know its initial number: entries put
 * meanwhile count twice. So it counts separately the bytes alive behind a position, and those before it. Once the cleaner has
 * reached the position, nothing before it is alive. What is left of the count before it is too much, and is subtracted. It no
 * longer changes, as all that is put lies behind. So it is the same whichever threads change other numbers meanwhile.
 */
public final class LiveBytes {

    private final MemorySegment memory;
    private final Stripes stripes;

    public LiveBytes(IndexFile file, Processes processes) {
        this.memory = file.memory();
        this.stripes = new Stripes(file, processes);
    }

    /**
     * Counts a record that was linked in place of another.
     *
     * @param formerSize the bytes of the record that it replaces; 0 if there was none, or a removal
     * @param size its own bytes; 0 for a removal
     */
    public void changed(long formerPosition, long formerSize, long position, long size) {
        if (size != formerSize) {
            stripes.add(STRIPE_LIVE, size - formerSize);
        }
        long from = apartFrom();
        if (from != 0) {
            long behind = (position >= from ? size : 0) - (formerPosition >= from ? formerSize : 0);
            stripes.add(STRIPE_BEHIND, behind);
            long before = size - formerSize - behind;
            if (before != 0) {
                stripes.add(STRIPE_BEFORE, before);
            }
        }
    }

    /** Returns the position behind which bytes are counted separately; 0 if there is none. */
    public long apartFrom() {
        return Words.getAcquire(memory, APART_FROM);
    }

    public long get() {
        return get(memory);
    }

    /** Returns the same for the memory of a file. */
    public static long get(MemorySegment memory) {
        return Math.max(0, bytes(memory));
    }

    private static long bytes(MemorySegment memory) {
        return Words.getAcquire(memory, LIVE_BYTES) + Stripes.sum(memory, STRIPE_LIVE);
    }

    /** Begins with a number that may be too high. Everything that is linked from now on lies behind a position. */
    public void doubt(long from) {
        doubt(from, 0);
    }

    /** Continues with a number that an earlier opening began so, and with the bytes that it counted behind the position. */
    public void doubt(long from, long bytesBehind) {
        assert from != 0;
        stripes.add(STRIPE_BEHIND, bytesBehind);
        stripes.add(STRIPE_BEFORE, bytes(memory) - bytesBehind);
        Words.setRelease(memory, APART_FROM, from);
    }

    /** Returns how many bytes are alive behind the position {@link #apartFrom}. */
    public long apartBytes() {
        return stripes.sum(STRIPE_BEHIND);
    }

    public void add(long known) {
        Words.getAndAdd(memory, LIVE_BYTES, known);
    }

    /** Returns whether the number is too high, and becomes exact once no record is left before a position. */
    public boolean isExactFrom(long position) {
        long from = apartFrom();
        return from != 0 && position >= from;
    }

    /**
     * Records that no record is left before a position, and that all threads that replaced some have left. Only the cleaner
     * calls this. If it dies in the middle, the number stays too high.
     */
    public void cleanedTo(long position) {
        if (isExactFrom(position)) {
            long tooMuch = stripes.sum(STRIPE_BEFORE);
            stripes.add(STRIPE_BEFORE, -tooMuch);
            add(-tooMuch);
            Words.setRelease(memory, APART_FROM, 0);
        }
    }
}
