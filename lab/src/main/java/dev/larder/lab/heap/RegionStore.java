package dev.larder.lab.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Values in one piece of memory outside the heap, each in the slot of its key. Without index, growth and removal it does
 * less than a map: a bound, not a product.
 *
 * <pre>
 * slot of 1712 bytes
 *    0 | sequence  i64 | 0 empty, even: the value is whole, odd: it is being written
 *    8 | value         | see {@link Value}
 * 1708 | padding   i32 |
 * </pre>
 *
 * A reader reads the sequence before and after it copies the value, and retries if the two differ: it never returns a
 * mix of two values. A writer takes the slot by making the sequence odd.
 */
final class RegionStore implements ValueStore {

    /** The bytes of a slot. */
    static final long SLOT_BYTES = 1712;

    private static final long VALUE = 8;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment slots;

    /** A region, touched from the beginning. */
    RegionStore(long keys) {
        slots = Arena.ofShared().allocate(keys * SLOT_BYTES, Long.BYTES);
    }

    @Override
    public void put(long key, byte[] bytes) {
        long slot = key * SLOT_BYTES;
        long sequence = lockAcquire(slot);
        VarHandle.storeStoreFence(); // no reader sees a new byte before the odd sequence
        MemorySegment.copy(bytes, 0, slots, ValueLayout.JAVA_BYTE, slot + VALUE, Value.BYTES);
        sequenceRelease(slot, sequence + 2);
    }

    @Override
    public boolean get(long key, byte[] into) {
        long slot = key * SLOT_BYTES;
        for (long sequence = sequenceAcquire(slot); sequence != 0; sequence = sequenceAcquire(slot)) {
            if ((sequence & 1) == 0 && copied(slot, sequence, into)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Copies the value; returns false if a concurrent write made the copy worthless. */
    private boolean copied(long slot, long sequence, byte[] into) {
        MemorySegment.copy(slots, ValueLayout.JAVA_BYTE, slot + VALUE, into, 0, Value.BYTES);
        VarHandle.loadLoadFence(); // reads every byte before the second check
        return sequenceAcquire(slot) == sequence;
    }

    private long lockAcquire(long slot) {
        while (true) {
            long sequence = sequenceAcquire(slot);
            if ((sequence & 1) == 0 && WORD.weakCompareAndSetAcquire(slots, slot, sequence, sequence + 1)) {
                return sequence;
            }
            Thread.onSpinWait();
        }
    }

    private long sequenceAcquire(long slot) {
        return (long) WORD.getAcquire(slots, slot);
    }

    private void sequenceRelease(long slot, long sequence) {
        WORD.setRelease(slots, slot, sequence);
    }
}
