package dev.larder.lucene;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The memory of one file, in one piece. Its holders are the file, each input opened on it, and the thread that writes it back.
 * The memory is given back when the last holder lets go. Clones and slices of an input hold nothing of their own.
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

    /** Returns how many bytes of memory a file of some length takes in this block. */
    abstract long memoryFor(long lengthBytes);

    /** Gives the memory back. */
    abstract void giveMemory();

    /** Gives back what lies behind a length. */
    abstract void cutRoom(long lengthBytes);

    /** Locks the pages in memory. Returns the reason if that failed. */
    abstract Optional<String> lockPages();

    abstract long lockedBytes();

    final long roomBytes() {
        return memory().byteSize();
    }

    /** Returns how many bytes may be written. */
    final long chargedBytes() {
        return chargedBytes;
    }

    /** Makes more of the room available; false if the budget has no more. Only the file's writer calls this. */
    final boolean tryCharge(long toBytes) {
        if (!budget.tryTake(toBytes - chargedBytes)) {
            return false;
        }
        chargedBytes = toBytes;
        return true;
    }

    /** Cuts the block to the length of a finished file. Only the file's writer calls this. */
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
