package dev.larder.array.node;

import org.jspecify.annotations.Nullable;

/** What a session waits for. Its end is told once, by any thread. */
abstract class SessionWait implements Runnable {

    private @Nullable Runnable end;

    /** Sets what is run at the end, before it can come. */
    final void onEnd(Runnable task) {
        end = task;
    }

    /** Tells the end. */
    @Override
    public final void run() {
        Runnable task = end;
        end = null; // it leads to the session, which may be gone
        if (task != null) {
            task.run();
        }
    }
}
