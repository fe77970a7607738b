package dev.larder.memory;

import java.lang.foreign.MemorySegment;

/** Waits for a change of a 32-bit word in memory that processes share. */
public interface SharedWait {

    /**
     * Waits while the word holds {@code expected}: until it is woken or the time is over. It may also return without a
     * reason. It returns at once if the word differs. Interrupts do not end the wait; keep the time short, and check.
     *
     * @param offset of the word within the segment, a multiple of 4
     */
    void await(MemorySegment segment, long offset, int expected, long timeoutNanos);

    /**
     * Wakes every thread that waits for the word, in every process. A waiter without native calls checks the word by
     * itself. A waker without native calls does not reach threads that sleep in the kernel; they sleep until their time
     * is over.
     */
    void wakeAll(MemorySegment segment, long offset);
}
