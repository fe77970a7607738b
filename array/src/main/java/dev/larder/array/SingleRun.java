package dev.larder.array;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A task that waits, and so has a thread of its own. At most one thread runs it. Thread-safe. */
final class SingleRun {

    private final Executor threads;
    private final Runnable task;
    private final AtomicBoolean isUnderWay = new AtomicBoolean();

    SingleRun(Executor threads, Runnable task) {
        this.threads = threads;
        this.task = task;
    }

    /** Begins the task, unless it is under way. If no thread can start, a later call begins it. */
    void begin() {
        if (isUnderWay.getAndSet(true)) {
            return;
        }
        boolean isBegun = false;
        try {
            threads.execute(this::run);
            isBegun = true;
        } finally {
            if (!isBegun) {
                isUnderWay.set(false);
            }
        }
    }

    private void run() {
        try {
            task.run();
        } finally {
            isUnderWay.set(false);
        }
    }
}
