package dev.larder.log;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for work of the background, with long patience. */
public final class Await {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private Await() {}

    public static void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("did not come true within a minute");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
