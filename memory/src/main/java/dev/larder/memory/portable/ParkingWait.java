package dev.larder.memory.portable;

import dev.larder.memory.SharedWait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * A wait without the kernel's help: the thread checks the word every 50 microseconds, and parks in between.
 *
 * <p>Short even steps measured best; a backoff to a millisecond was worst. A virtual thread releases its carrier.
 */
public final class ParkingWait implements SharedWait {

    public static final ParkingWait INSTANCE = new ParkingWait();

    private static final long STEP_NANOS = 50_000;
    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private ParkingWait() {}

    @Override
    public void await(MemorySegment segment, long offset, int expected, long timeoutNanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while ((int) WORD.getVolatile(segment, offset) == expected) {
            long left = timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(this, Math.min(left, STEP_NANOS));
            interrupted |= Thread.interrupted(); // else park would return at once for the rest of the wait
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does nothing: a waiting thread checks the word by itself. */
    @Override
    public void wakeAll(MemorySegment segment, long offset) {}
}
