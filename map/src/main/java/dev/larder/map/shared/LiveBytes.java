package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.APART_FROM;
import static dev.larder.map.format.IndexFileLayout.LIVE_BYTES;
import static dev.larder.map.format.IndexFileLayout.STRIPE_BEHIND;
import static dev.larder.map.format.IndexFileLayout.STRIPE_LIVE;

import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * How many bytes of the log are records of entries: exact, as every change of a word adds what it brings and takes what it
 * replaces, but for changes that are being made, and those that each thread of a killed process was making: one, or
 * the group of a loader.
 *
 * <pre>
 *  live bytes   known at the opening + the sum of all stripes of all processes, also of those that have left
 *  stripe       | bytes 8 | of these behind a position 8 | gap 48 |
 * </pre>
 *
 * <p>Only a map that crashed after its image was taken beside writers does not know where it begins: what was put meanwhile
 * counts twice. So it counts apart what is alive behind a position; when the cleaner has come there, that is all there is.
 */
public final class LiveBytes {

    private final MemorySegment memory;
    private final Stripes stripes;

    public LiveBytes(IndexFile file, Processes processes) {
        this.memory = file.memory();
        this.stripes = new Stripes(file, processes);
    }

    /**
     * Takes note that a record was linked in place of another.
     *
     * @param formerSize the bytes of the record that it replaces; 0 where there was none, or a removal
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
        }
    }

    /** Returns the position behind which is counted apart; 0 where nothing is. */
    public long apartFrom() {
        return Words.getAcquire(memory, APART_FROM);
    }

    public long get() {
        return get(memory);
    }

    /** Returns the same of a file. */
    public static long get(MemorySegment memory) {
        return Math.max(0, bytes(memory));
    }

    private static long bytes(MemorySegment memory) {
        return Words.getAcquire(memory, LIVE_BYTES) + Stripes.sum(memory, STRIPE_LIVE);
    }

    /** Begins with a number that is too high, if anything; everything that is linked from now on lies behind a position. */
    public void doubt(long from) {
        assert from != 0;
        Words.setRelease(memory, APART_FROM, from);
    }

    /** Goes on with a number that an earlier opening has begun so, and what that has counted behind the position. */
    public void doubt(long from, long bytesBehind) {
        stripes.add(STRIPE_BEHIND, bytesBehind);
        doubt(from);
    }

    /** Returns how many bytes are alive behind the position {@link #apartFrom}. */
    public long apartBytes() {
        return stripes.sum(STRIPE_BEHIND);
    }

    public void add(long known) {
        Words.getAndAdd(memory, LIVE_BYTES, known);
    }

    /** Takes note that no record is left before a position; the cleaner alone. */
    public void cleanedTo(long position) {
        long from = apartFrom();
        if (from != 0 && position >= from) {
            add(stripes.sum(STRIPE_BEHIND) - bytes(memory));
            Words.setRelease(memory, APART_FROM, 0);
        }
    }
}
