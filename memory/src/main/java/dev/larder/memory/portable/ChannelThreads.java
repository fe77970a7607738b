package dev.larder.memory.portable;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The few threads on which every operation of a file channel runs.
 *
 * <p>A thread that is interrupted inside a channel operation, or enters one with its interrupt status set, closes the channel.
 * Closing it drops the process's locks. So no caller ever enters a channel operation. No other code can interrupt the threads
 * of this class: they are never handed out, their tasks are never cancelled, and the pool is never shut down. They belong to
 * the root thread group, so an interrupt of the caller's group does not reach them. (A pool thread also clears its status
 * before each task.) They are daemons, and end after a few idle seconds.
 */
public final class ChannelThreads {

    /** No task waits for another task, so this bound cannot deadlock. It bounds threads, not callers. */
    private static final int THREADS = 8;

    private static final long IDLE_SECONDS = 5;
    private static final ThreadPoolExecutor POOL = pool();

    private ChannelThreads() {}

    /** An operation on a channel. */
    @FunctionalInterface
    public interface Operation<T> {
        T run() throws IOException;
    }

    /** Runs an operation and waits for it. An interrupt meanwhile does not disturb it, and is kept for the caller. */
    public static <T> T run(Operation<T> operation) throws IOException {
        FutureTask<T> task = new FutureTask<>(operation::run);
        POOL.execute(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw failure(Objects.requireNonNull(e.getCause()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException failure(Throwable cause) {
        return switch (cause) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case IOException exception -> exception;
            default -> throw new AssertionError(cause);
        };
    }

    private static ThreadPoolExecutor pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform()
                        .name("larder-channel-", 0)
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .group(rootGroup())
                        .factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadGroup rootGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
