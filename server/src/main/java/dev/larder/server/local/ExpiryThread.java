package dev.larder.server.local;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/**
 * The thread that removes expired keys from all databases of this process, ten times a second. A node of an array has a
 * database for each stripe, and a separate thread for each would wake the processor as often. The thread starts with the first
 * database and ends after the last.
 */
final class ExpiryThread {

    static final ExpiryThread OF_PROCESS = new ExpiryThread();

    private static final long PAUSE_MILLIS = 100;

    private final Set<Runnable> rounds = new CopyOnWriteArraySet<>();
    private boolean running;

    ExpiryThread() {}

    /**
     * Adds the round of a database.
     *
     * @throws OutOfMemoryError if there is no thread yet and none can start; the round is not added
     */
    synchronized void add(Runnable round) {
        if (!running) {
            Thread.ofPlatform().name("larder-expiry").daemon().start(this::work);
            running = true;
        }
        rounds.add(round);
    }

    /** Removes the round of a database. The round may still run. */
    synchronized void remove(Runnable round) {
        rounds.remove(round);
        notifyAll();
    }

    private void work() {
        while (awaitRound()) {
            rounds.forEach(ExpiryThread::attempt);
        }
    }

    private static void attempt(Runnable round) {
        try {
            round.run();
        } catch (RuntimeException | Error e) {
            // a round logs its own errors; if even that fails, the other rounds continue
        }
    }

    /**
     * Waits for the next round. Returns false when no database is left: the thread then ends, and the next database starts
     * another.
     */
    private synchronized boolean awaitRound() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        long left = PAUSE_MILLIS;
        while (left > 0 && !rounds.isEmpty()) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                // ignored: all databases need this thread, so there is no reason to interrupt it
            }
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        running = !rounds.isEmpty();
        return running;
    }
}
