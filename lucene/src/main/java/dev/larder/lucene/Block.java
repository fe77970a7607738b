package dev.larder.lucene;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The memory of one file, in one piece. Held by the file, by each input that was opened on it, and by whoever writes it
 * back; given back after the last of them let go. Clones and slices of an input hold nothing of their own.
 *
 * <pre>
 * |-- written --|-- counted in the budget, whole pages --|.......... room ..........|
 * 0          length                                   charged                      room
 * </pre>
 */
abstract class Block extends Held {

    private final MemoryBudget budget;
    private final Counters counters;
    private volatile long chargedBytes;

    /** A block whose first bytes were taken from the budget. */
    Block(MemoryBudget budget, Counters counters, long chargedBytes) {
        this.budget = budget;
        this.counters = counters;
        this.chargedBytes = chargedBytes;
    }

    /** Returns the memory, as long as there is room. */
    abstract MemorySegment memory();

    /** Returns how many bytes of memory a file of some length takes in here. */
    abstract long memoryFor(long lengthBytes);

    /** Gives the memory back. */
    abstract void giveMemory();

    /** Gives back what lies behind a length. */
    abstract void cutRoom(long lengthBytes);

    /** Keeps the pages in memory; returns why not. */
    abstract Optional<String> lockPages();

    abstract long lockedBytes();

    final long roomBytes() {
        return memory().byteSize();
    }

    /** Returns how many bytes may be written. */
    final long chargedBytes() {
        return chargedBytes;
    }

    /** Makes more of the room available; false where the budget has no more. By the one who writes. */
    final boolean tryCharge(long toBytes) {
        if (!budget.tryTake(toBytes - chargedBytes)) {
            return false;
        }
        chargedBytes = toBytes;
        return true;
    }

    /** Cuts the block to a file that is finished. By the one who writes. */
    final void trim(long lengthBytes) {
        cutRoom(lengthBytes);
        long kept = Math.min(chargedBytes, memoryFor(lengthBytes));
        budget.give(chargedBytes - kept);
        chargedBytes = kept;
    }

    @Override
    final void free() {
        giveMemory();
        counters.recycledBytes.add(chargedBytes);
        budget.give(chargedBytes);
    }
}
