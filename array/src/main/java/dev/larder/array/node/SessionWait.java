package dev.larder.array.node;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What a session waits for. It ends once, in any thread, and one task hears of it, also where it has ended before. */
abstract class SessionWait implements Runnable {

    private boolean ended;
    private @Nullable Runnable listener;

    /** Returns whether it has ended. */
    final synchronized boolean isEnded() {
        return ended;
    }

    /** Runs a task at the end: in the thread that brings it, or now if it has come. A task that was set before is forgotten. */
    final void onEnd(Runnable task) {
        synchronized (this) {
            if (!ended) {
                listener = task;
                return;
            }
        }
        task.run();
    }

    /** Runs a task once all have ended. */
    static void onEndOfAll(List<? extends SessionWait> waits, Runnable task) {
        AtomicInteger left = new AtomicInteger(waits.size());
        waits.forEach(wait -> wait.onEnd(() -> {
            if (left.decrementAndGet() == 0) {
                task.run();
            }
        }));
    }

    /** Brings the end. */
    @Override
    public final void run() {
        Runnable task;
        synchronized (this) {
            ended = true;
            task = listener;
            listener = null; // it leads to the session, which may be gone
        }
        if (task != null) {
            task.run();
        }
    }
}
