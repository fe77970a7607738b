package dev.larder.array.stripe;

import dev.larder.log.layer.ClosingSteps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The index of its log up to which a stripe has applied all entries, and the tasks that wait for more. Thread-safe. */
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
     * Runs a task once all entries up to an index are applied: at once, or in the thread that applies. The task must not wait.
     *
     * @param atEnd runs in place of the task if the index will not be reached: at once, or in the thread that ends the index
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

    /** Records that all entries up to an index are applied. */
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

    /** Runs all tasks, even if some throw: no waiter is left out. Throws the first error in the end. */
    private static void runAll(List<Runnable> tasks) {
        ClosingSteps steps = new ClosingSteps();
        tasks.forEach(task -> steps.take("waiter", task));
        steps.end();
    }

    /** Records that no more entries are applied: the member has stopped or failed. */
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
