package dev.larder.memory;

import java.lang.foreign.MemorySegment;

/** Waiting for a 32-bit word that lies in memory shared with other processes. */
public interface SharedWait {

    /**
     * Waits while the word holds {@code expected}: until it is woken, until the time is over, or for no reason.
     * Returns at once when the word differs. Interrupts do not end the wait; keep the time short and look.
     *
     * @param offset of the word within the segment, a multiple of 4
     */
    void await(MemorySegment segment, long offset, int expected, long timeoutNanos);

    /**
     * Wakes everybody who waits for the word, in every process. Who waits without native calls looks by himself; who
     * wakes without them does not reach those that sleep in the kernel, and they stay for their time.
     */
    void wakeAll(MemorySegment segment, long offset);
}
