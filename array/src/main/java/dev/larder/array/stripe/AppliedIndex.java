package dev.larder.array.stripe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Up to which index of its log a stripe has applied all entries, and who waits for more. Thread-safe. */
public final class AppliedIndex {

    private record Waiter(long index, Runnable task, Runnable atEnd) {}

    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>(Comparator.comparingLong(Waiter::index));
    private volatile long index = -1;
    private volatile boolean isEnded;

    /** Returns the index. */
    public long get() {
        return index;
    }

    /**
     * Runs a task once everything up to an index is applied: now, or in the thread that applies. It must not wait.
     *
     * @param atEnd runs in place of the task if no more is applied, and the index is not reached: now, or in the thread that ends it
     */
    public void await(long least, Runnable task, Runnable atEnd) {
        if (index < least) {
            synchronized (this) {
                if (index < least && !isEnded) {
                    waiters.add(new Waiter(least, task, atEnd));
                    return;
                }
            }
        }
        if (index < least) {
            atEnd.run();
        } else {
            task.run();
        }
    }

    /** Says that everything up to an index is applied. */
    public void reached(long now) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            index = Math.max(index, now);
            while (!waiters.isEmpty() && waiters.element().index() <= index) {
                due.add(waiters.remove().task());
            }
        }
        runAll(due);
    }

    /** Runs all of them, also where some throw: nobody is left to wait. The first error is thrown in the end. */
    private static void runAll(List<Runnable> tasks) {
        Throwable first = null;
        for (Runnable task : tasks) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else if (!first.equals(e)) {
                    first.addSuppressed(e);
                }
            }
        }
        switch (first) {
            case null -> {}
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new AssertionError(first);
        }
    }

    /** Says that nothing more is applied: the member has stopped, or has failed. */
    public void end() {
        List<Runnable> left;
        synchronized (this) {
            isEnded = true;
            left = waiters.stream().map(Waiter::atEnd).toList();
            waiters.clear();
        }
        runAll(left);
    }
}
