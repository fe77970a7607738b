package dev.larder.tests.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Another thread for each task, from its first moment on.
 *
 * <p>Without an executor a {@link CompletableFuture} takes the common pool, which has one thread on a machine of two
 * processors: tasks that are to run beside each other run one after the other there, and a task may be run by whoever waits
 * for it.
 */
public final class OtherThread {

    private static final Executor EXECUTOR =
            task -> Thread.ofPlatform().daemon().name("other").start(task);

    private OtherThread() {}

    /** Runs a task on a thread of its own. */
    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, EXECUTOR);
    }

    /** Runs a task on a thread of its own, for what it returns. */
    public static <T> CompletableFuture<T> call(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, EXECUTOR);
    }
}
