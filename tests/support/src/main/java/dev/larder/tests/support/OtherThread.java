package dev.larder.tests.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs each task on another thread, from its first moment on.
 *
 * <p>Without an executor a {@link CompletableFuture} takes the common pool, which has one thread on a machine with two
 * processors. There, tasks that should run beside each other run one after the other, and a thread that waits for a task may
 * run it itself.
 */
public final class OtherThread {

    private static final Executor EXECUTOR =
            task -> Thread.ofPlatform().daemon().name("other").start(task);

    private OtherThread() {}

    /** Runs a task on a thread of its own. */
    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, EXECUTOR);
    }

    /** Runs a task on a thread of its own, for its result. */
    public static <T> CompletableFuture<T> call(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, EXECUTOR);
    }
}
