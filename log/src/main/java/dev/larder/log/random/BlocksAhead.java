package dev.larder.log.random;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the blocks of a segment ready, one after the other, some ahead of a walk. From the second block on it does so on a
 * thread of its own. The walker, which has other work with each record, then waits for neither the disk nor a checksum. Where
 * no thread can be started, the walker makes each block itself when it comes there.
 *
 * <pre>
 *  | ready | ready | walked | ready | ready | being made |            |
 *                  ^ last one asked for                  ^ at most 8 ahead
 * </pre>
 *
 * A failure is thrown when the walk comes to its block, and at every further call.
 */
final class BlocksAhead implements AutoCloseable {

    private static final int AHEAD = 8;

    private final int count;
    private final IntConsumer making;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private int ready;
    private int asked;

    /** Whether no thread could be started. */
    private boolean alone;

    private boolean closed;
    private @Nullable Throwable failure;

    /**
     * Prepares a walk of so many blocks.
     *
     * @param making makes one ready, by its number
     */
    BlocksAhead(int count, IntConsumer making) {
        this(
                count,
                making,
                run -> Thread.ofPlatform().daemon().name("larder-blocks").unstarted(run));
    }

    /** Prepares the same, with a thread from a factory. */
    BlocksAhead(int count, IntConsumer making, ThreadFactory threads) {
        this.count = count;
        this.making = making;
        this.threads = threads;
    }

    /** Waits until a block is ready, and all before it. For the walker alone. */
    void await(int block) {
        if (block > 0 && thread == null && !alone) {
            start();
        }
        lock.lock();
        try {
            asked = block;
            changed.signalAll();
            if (thread == null) {
                makeHere(block);
            }
            while (ready <= block && failure == null) {
                changed.awaitUninterruptibly();
            }
            requireReady(block);
        } finally {
            lock.unlock();
        }
    }

    /** Starts the thread. Where the system has none left, the walker makes the blocks itself: the walk may free memory. */
    private void start() {
        try {
            Thread made = threads.newThread(this::run);
            made.start();
            thread = made;
        } catch (OutOfMemoryError e) {
            alone = true;
        }
    }

    private void makeHere(int last) {
        while (ready <= last && failure == null) {
            make(ready);
        }
    }

    private void requireReady(int block) {
        if (ready <= block && failure instanceof Error error) {
            throw error;
        }
        if (ready <= block && failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private void run() {
        for (int block = nextWanted(); block < count; block = nextWanted()) {
            make(block);
        }
    }

    /** Waits until it is time for the next block; returns the count where no block is left. */
    private int nextWanted() {
        lock.lock();
        try {
            while (!closed && failure == null && ready > asked + AHEAD) {
                changed.awaitUninterruptibly();
            }
            return closed || failure != null ? count : ready;
        } finally {
            lock.unlock();
        }
    }

    private void make(int block) {
        Throwable failed = null;
        try {
            making.accept(block);
        } catch (RuntimeException | Error e) {
            failed = e;
        }
        lock.lock();
        try {
            failure = failed;
            ready += failed == null ? 1 : 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread; when this returns, it no longer touches memory. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        join();
    }

    private void join() {
        boolean interrupted = false;
        Thread started = thread;
        while (started != null && started.isAlive()) {
            try {
                started.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
