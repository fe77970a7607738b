package dev.larder.server.local;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/**
 * The thread that removes expired keys from all databases of this process, ten times a second. A node of an array has a
 * database for each stripe, and a thread for each would wake the processor as often. It begins with the first database and
 * ends after the last.
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

    /** Takes the round of a database out. It may run still. */
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
            // a round tells of what it could not do; where even that fails, the others go on
        }
    }

    /** Returns false when no database is left: then the thread ends, and the next database has another one. */
    private synchronized boolean awaitRound() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        long left = PAUSE_MILLIS;
        while (left > 0 && !rounds.isEmpty()) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                // nobody has a reason to interrupt this thread: all databases need it
            }
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        running = !rounds.isEmpty();
        return running;
    }
}
