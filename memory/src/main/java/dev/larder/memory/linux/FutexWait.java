package dev.larder.memory.linux;

import dev.larder.memory.SharedWait;
import dev.larder.memory.portable.ParkingWait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A wait in the kernel: the thread sleeps until a thread of any process wakes the word.
 *
 * <p>The kernel gets the word's plain address, so an arena may close while a thread sleeps. The sleeping thread then returns at
 * its timeout, because the kernel identifies the word by its file and not by its address.
 *
 * <p>A virtual thread would hold its carrier while it sleeps, so it parks instead. So does a thread that waits for a word on
 * the heap.
 */
final class FutexWait implements SharedWait {

    static final FutexWait INSTANCE = new FutexWait();

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private FutexWait() {}

    @Override
    public void await(MemorySegment segment, long offset, int expected, long timeoutNanos) {
        if (Thread.currentThread().isVirtual() || !segment.isNative()) {
            ParkingWait.INSTANCE.await(segment, offset, expected, timeoutNanos);
        } else if ((int) WORD.getVolatile(segment, offset) == expected && timeoutNanos > 0) {
            LinuxCalls.futexWait(segment.address() + offset, expected, timeoutNanos);
        }
    }

    @Override
    public void wakeAll(MemorySegment segment, long offset) {
        Objects.checkFromIndexSize(offset, Integer.BYTES, segment.byteSize());
        if (segment.isNative()) {
            LinuxCalls.futexWakeAll(segment.address() + offset);
        }
    }
}
