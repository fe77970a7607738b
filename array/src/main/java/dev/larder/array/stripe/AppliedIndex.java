package dev.larder.array.stripe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Up to which index of its log a stripe has applied all entries, and who waits for more. Thread-safe. */
public final class AppliedIndex {

    private record Waiter(long index, Runnable task) {}

    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>(Comparator.comparingLong(Waiter::index));
    private volatile long index = -1;

    /** Returns the index. */
    public long get() {
        return index;
    }

    /** Runs a task once everything up to an index is applied: now, or in the thread that applies. It must not wait. */
    public void await(long least, Runnable task) {
        if (index < least) {
            synchronized (this) {
                if (index < least) {
                    waiters.add(new Waiter(least, task));
                    return;
                }
            }
        }
        task.run();
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
        due.forEach(Runnable::run);
    }
}
