package dev.larder.memory.linux;

import dev.larder.memory.SharedWait;
import dev.larder.memory.portable.ParkingWait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Waiting in the kernel: asleep until somebody wakes the word, in whatever process.
 *
 * <p>The kernel gets the word's plain address, so that an arena may close while somebody sleeps: the sleeper leaves at
 * his time-out, for the kernel knows the word by its file and not by its address.
 *
 * <p>A virtual thread would hold its carrier while it sleeps, so it parks instead. So does who waits on the heap.
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
