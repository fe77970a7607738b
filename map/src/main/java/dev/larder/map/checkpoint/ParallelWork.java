package dev.larder.map.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Work that the caller does together with helper threads, each of which takes the next part not yet taken. Returns when all
 * have ended. Not interruptible: an interrupted thread stays interrupted.
 */
final class ParallelWork {

    private final Runnable work;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ParallelWork(Runnable work) {
        this.work = work;
    }

    /** Runs work in so many threads, the caller's among them; throws what the first failed thread threw. */
    static void run(String name, int threads, Runnable work) {
        ParallelWork all = new ParallelWork(work);
        List<Thread> helpers = all.start(name, threads - 1);
        all.run();
        helpers.forEach(ParallelWork::await);
        all.throwFailure();
    }

    /** Starts helpers; if the system has no thread left, those that exist do all the work. */
    private List<Thread> start(String name, int count) {
        List<Thread> started = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                started.add(
                        Thread.ofPlatform().daemon().name(name + "-" + number).start(this::run));
            }
        } catch (OutOfMemoryError e) {
            return started;
        }
        return started;
    }

    private void run() {
        try {
            work.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private static void await(Thread helper) {
        boolean interrupted = false;
        while (helper.isAlive()) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void throwFailure() {
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new AssertionError(e);
        }
    }
}
