package dev.larder.array.node;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A wait of a session. It ends once, in any thread, and then runs one task, even if the task is set after the end. */
abstract class SessionWait implements Runnable {

    private boolean ended;
    private @Nullable Runnable listener;

    /** Returns whether it has ended. */
    final synchronized boolean isEnded() {
        return ended;
    }

    /** Runs a task at the end: in the thread that ends the wait, or now if it has ended. Replaces a task that was set before. */
    final void onEnd(Runnable task) {
        synchronized (this) {
            if (!ended) {
                listener = task;
                return;
            }
        }
        task.run();
    }

    /** Runs a task once all waits have ended. */
    static void onEndOfAll(List<? extends SessionWait> waits, Runnable task) {
        AtomicInteger left = new AtomicInteger(waits.size());
        waits.forEach(wait -> wait.onEnd(() -> {
            if (left.decrementAndGet() == 0) {
                task.run();
            }
        }));
    }

    /** Ends the wait. */
    @Override
    public final void run() {
        Runnable task;
        synchronized (this) {
            ended = true;
            task = listener;
            listener = null; // the task refers to the session, which may be gone
        }
        if (task != null) {
            task.run();
        }
    }
}
