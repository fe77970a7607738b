package dev.larder.lab.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for moments: it sleeps as long as that is safe, and spins for the rest.
 *
 * <p>A sleeping thread is woken late: by the timer slack of 50 us that Linux gives every thread, and by the way back to
 * a processor. The first is taken away, through {@code /proc} and thus without a native call; for the second the thread
 * is up a little before its time.
 */
public final class Pacer {

    /** How long before its time the thread is up, unless asked otherwise. */
    public static final long SPIN_NANOS = 30_000;

    private final long spinNanos;

    /** A pacer that spins for at most so long before a moment; with 0 it only sleeps. */
    public Pacer(long spinNanos) {
        this.spinNanos = spinNanos;
    }

    /**
     * Asks the system to wake the calling thread as exactly as it can; returns whether it will. Where there is no
     * {@code /proc}, or the right to it is missing, nothing changes.
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

    /** Returns when {@code System.nanoTime()} has reached a moment. */
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
