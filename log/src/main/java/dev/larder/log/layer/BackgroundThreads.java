package dev.larder.log.layer;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which all background tasks of this process run, in the order in which the tasks are due.
 *
 * <pre>
 * no task started         no thread
 * all tasks wait          one thread, the watcher: it waits for the time of the first task
 * a task's round begins   the watcher runs it; a spare thread, or a new one, becomes the watcher
 * a round hangs           the other tasks continue, up to 64 rounds that hang
 * a task's look is due    the watcher runs it, and calls no other thread
 * </pre>
 *
 * <p>A thread that is not needed ends after a while. Where no further thread can be started, the existing threads continue
 * alone, and the next round, or the next task that is woken, tries again. No error ends a thread.
 */
final class BackgroundThreads {

    private static final int THREADS_MAX = 64;
    private static final long SPARE_NANOS = 5_000_000_000L;

    /** The longest wait; times that lie further apart could not be compared. */
    private static final long WAIT_MAX_NANOS = 3_600_000_000_000L;

    private static final long LOOK_NANOS = 1_000_000_000L;

    static final BackgroundThreads OF_PROCESS =
            new BackgroundThreads(THREADS_MAX, SPARE_NANOS, LOOK_NANOS, daemons(), System::nanoTime);

    private final int threadsMax;
    private final long spareNanos;
    private final long lookNanos;
    private final ThreadFactory factory;
    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition watching = lock.newCondition();
    private final Condition sparing = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final DueTasks due = new DueTasks();
    private int tasks;
    private int threads;
    private int running;
    private int spares;
    private boolean watched;

    /**
     * A set with no thread yet.
     *
     * @param threadsMax how many there are at most
     * @param spareNanos how long a thread waits for work before it ends
     * @param lookNanos looks come at multiples of this: those of a thousand tasks wake the watcher once
     * @param clock tells when tasks are due
     */
    BackgroundThreads(int threadsMax, long spareNanos, long lookNanos, ThreadFactory factory, LongSupplier clock) {
        this.threadsMax = threadsMax;
        this.spareNanos = spareNanos;
        this.lookNanos = lookNanos;
        this.factory = factory;
        this.clock = clock;
    }

    /** Returns a factory of threads that inherit nothing from the thread that happens to start them. */
    private static ThreadFactory daemons() {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("larder-background-" + number.incrementAndGet())
                    .inheritInheritableThreadLocals(false)
                    .unstarted(work);
            thread.setContextClassLoader(BackgroundThreads.class.getClassLoader());
            return thread;
        };
    }

    /** Starts a task, and the first thread. */
    void add(BackgroundTask task) {
        lock.lock();
        try {
            due.reserve(tasks + 1);
            tasks++;
            task.started = true;
            try {
                if (threads == 0) {
                    startThread();
                }
            } catch (RuntimeException | Error e) {
                tasks--;
                task.started = false;
                throw e;
            }
            runSoon(task);
        } finally {
            lock.unlock();
        }
    }

    void wake(BackgroundTask task) {
        lock.lock();
        try {
            if (task.runner != null) {
                task.woken = true;
            } else if (task.started && !task.isStopped()) {
                runSoon(task);
            }
        } finally {
            lock.unlock();
        }
    }

    private void runSoon(BackgroundTask task) {
        put(task, 0);
        if (!watched) {
            callWatcher();
        }
    }

    /** Makes a task due after a time; where it becomes the first, the watcher must know. */
    private void put(BackgroundTask task, long nanos) {
        task.looks = false;
        putAt(task, clock.getAsLong() + Math.min(nanos, WAIT_MAX_NANOS));
    }

    private void putLook(BackgroundTask task) {
        task.looks = true;
        long latest = clock.getAsLong() + Math.clamp(task.lookNanos, lookNanos, WAIT_MAX_NANOS);
        putAt(task, latest - Math.floorMod(latest, lookNanos));
    }

    private void putAt(BackgroundTask task, long nanos) {
        due.put(task, nanos);
        if (due.first() == task) {
            watching.signal();
        }
    }

    /** Waits until no other thread runs a round of a task, and removes the task. */
    void remove(BackgroundTask task) {
        lock.lock();
        try {
            while (isRunByAnother(task)) {
                ended.awaitUninterruptibly();
            }
            due.remove(task);
            if (task.started) {
                task.started = false;
                tasks--;
            }
            if (tasks == 0) {
                watching.signalAll();
                sparing.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isRunByAnother(BackgroundTask task) {
        Thread runner = task.runner;
        return runner != null && !runner.equals(Thread.currentThread());
    }

    /**
     * Ensures that a thread watches: a spare one, or a new one where all threads are inside rounds. Never fails: the caller
     * has other work, which must be done.
     */
    private void callWatcher() {
        if (spares > 0) {
            sparing.signal();
        } else if (threads == running && threads < threadsMax && tasks > running) {
            try {
                startThread();
            } catch (RuntimeException | Error e) {
                // tried again at the next round, or when a task is woken
            }
        }
    }

    private void startThread() {
        Thread thread = factory.newThread(this::work);
        threads++;
        try {
            thread.start();
        } catch (RuntimeException | Error e) {
            threads--;
            throw e;
        }
    }

    /** Runs a thread to its end. It ends under the lock, so that the next thread that adds a task knows of the end. */
    private void work() {
        boolean needed = true;
        while (needed) {
            lock.lock();
            try {
                BackgroundTask task = next();
                needed = task != null;
                if (task != null) {
                    runRound(task);
                }
            } catch (RuntimeException | Error e) {
                needed = true; // no memory, or no stack: the tasks still need a thread
            } finally {
                threads -= needed ? 0 : 1;
                lock.unlock();
            }
        }
    }

    /** Waits for a task that is due; null when the thread is no longer needed. */
    private @Nullable BackgroundTask next() {
        while (tasks > 0) {
            BackgroundTask first = due.first();
            long nanos = first == null ? Long.MAX_VALUE : first.dueNanos - clock.getAsLong();
            if (first != null && nanos <= 0) {
                due.remove(first);
                return first;
            }
            if (!watched) {
                watch(nanos);
            } else if (!isCalled()) {
                return null;
            }
        }
        return null;
    }

    private void watch(long nanos) {
        watched = true;
        try {
            await(watching, nanos);
        } finally {
            watched = false;
        }
    }

    /** Waits as a spare thread; returns false when it was not needed for long. */
    private boolean isCalled() {
        spares++;
        try {
            return await(sparing, spareNanos) || !watched;
        } finally {
            spares--;
        }
    }

    /** Returns whether it was signalled in time. No code has a reason to interrupt these threads. */
    @SuppressWarnings("WaitNotInLoop") // next() checks again, whatever ended the wait
    private static boolean await(Condition condition, long nanos) {
        try {
            return condition.awaitNanos(nanos) > 0;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Runs a round, or a look, outside of the lock. */
    private void runRound(BackgroundTask task) {
        task.runner = Thread.currentThread();
        task.woken = false;
        running++;
        long nanos = Duty.REST_NANOS;
        try {
            if (!task.looks) {
                callWatcher();
            }
            nanos = runUnlocked(task);
        } finally {
            running--;
            task.runner = null;
            ended.signalAll();
            if (task.started && !task.isStopped()) {
                putNext(task, nanos);
            }
        }
    }

    private void putNext(BackgroundTask task, long nanos) {
        if (task.woken || nanos < BackgroundTask.UNTIL_WOKEN) {
            put(task, task.woken ? 0 : nanos);
        } else if (task.lookNanos < BackgroundTask.UNTIL_WOKEN) {
            putLook(task);
        }
    }

    private long runUnlocked(BackgroundTask task) {
        boolean look = task.looks;
        lock.unlock();
        try {
            return look ? task.runLook() : task.runRound();
        } finally {
            lock.lock();
        }
    }

    /** Returns how many tasks are started. */
    int tasks() {
        lock.lock();
        try {
            return tasks;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many threads there are. */
    int threads() {
        lock.lock();
        try {
            return threads;
        } finally {
            lock.unlock();
        }
    }
}
