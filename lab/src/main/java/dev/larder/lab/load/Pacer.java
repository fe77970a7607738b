package dev.larder.lab.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for moments: it sleeps as long as is safe, and spins for the rest.
 *
 * <p>A sleeping thread wakes late: by the timer slack of 50 us that Linux gives every thread, and by the way back to a
 * processor. The pacer removes the first, through {@code /proc} and thus without a native call. For the second, the
 * thread wakes a little early.
 */
public final class Pacer {

    /** How long before its moment the thread wakes, by default. */
    public static final long SPIN_NANOS = 30_000;

    private final long spinNanos;

    /** A pacer that spins at most so long before a moment; with 0 it only sleeps. */
    public Pacer(long spinNanos) {
        this.spinNanos = spinNanos;
    }

    /**
     * Asks the system to wake the calling thread as exactly as it can; returns whether it will. Without {@code /proc},
     * or without the right to it, nothing changes.
     */
    public static boolean sharpenTimer() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), "1");
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Waits until {@code System.nanoTime()} has reached a moment. */
    public void await(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (left > spinNanos) {
                LockSupport.parkNanos(left - spinNanos);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
