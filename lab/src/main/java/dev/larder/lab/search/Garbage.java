package dev.larder.lab.search;

import dev.larder.lab.load.Pacer;
import dev.larder.lab.result.Attempt;
import java.util.SplittableRandom;

/**
 * A thread that makes garbage at a rate, like an application beside its searches: blocks of 1 to 32 KiB. It keeps the
 * latest 64 MiB for a while, so that some blocks grow old before they die.
 */
final class Garbage implements AutoCloseable {

    private static final long STEP_NANOS = 2_000_000;
    private static final double SECOND_NANOS = 1e9;
    private static final int KEPT = 4096;
    private static final int SMALLEST_BYTES = 1 << 10;
    private static final int LARGEST_BYTES = 32 << 10;

    private final byte[][] kept = new byte[KEPT][];
    private final long bytesPerSecond;
    private final Thread thread = Thread.ofPlatform().daemon().name("garbage").unstarted(this::run);
    private volatile boolean closed;
    private volatile long made;

    /** Garbage of so many bytes a second, from now on. */
    Garbage(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
        thread.start();
    }

    private void run() {
        SplittableRandom random = new SplittableRandom(1);
        Pacer pacer = new Pacer(0);
        long start = System.nanoTime();
        long bytes = 0;
        for (int next = 0; !closed; pacer.await(System.nanoTime() + STEP_NANOS)) {
            double due = (System.nanoTime() - start) / SECOND_NANOS * bytesPerSecond;
            while (bytes < due && !closed) {
                byte[] block = new byte[random.nextInt(SMALLEST_BYTES, LARGEST_BYTES)];
                kept[next++ % KEPT] = block;
                bytes += block.length;
            }
            made = bytes;
        }
    }

    long madeBytes() {
        return made;
    }

    @Override
    public void close() {
        closed = true;
        Attempt.join(thread);
    }
}
