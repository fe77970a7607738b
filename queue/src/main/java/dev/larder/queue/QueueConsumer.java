package dev.larder.queue;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.Position;
import dev.larder.log.layer.ClosingSteps;
import java.io.Serial;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that reads a named tailer on its own thread, and passes the messages to a handler, one after another, in order.
 * Made by {@link LarderQueue#consumer(String, MessageHandler)}. Thread-safe.
 *
 * <p><b>At least once.</b> A message counts as handled when the handler has returned. The consumer commits after that: after
 * each message, or after several ({@link ConsumerOptions}). After a crash the messages since the last commit come again. A
 * commit survives the process at once, and the machine after a {@link LarderQueue#sync}.
 *
 * <p><b>Errors.</b> If the handler throws, the consumer commits the messages before, and retries as often as its options say.
 * Then it stops: it logs a warning, and {@link #stopped} completes with a {@link ConsumerFailedException}. The consumer never
 * skips a message; a handler that wants to skip one catches its own errors. An {@link Error} is not retried. An error of the
 * queue itself also stops the consumer.
 *
 * <p><b>The thread</b> is virtual by default. A waiting virtual thread parks and checks again, every 20 ms after a long wait;
 * it does not hold its carrier. A platform thread sleeps until a writer wakes it. An interrupt of the thread from outside stops
 * the consumer with an error.
 */
public final class QueueConsumer implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger(QueueConsumer.class.getName());
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final int READ_MESSAGES = 1000;

    private final Path directory;
    private final String name;
    private final Tailer tailer;
    private final MessageHandler handler;
    private final ConsumerOptions options;
    private final Consumer<QueueConsumer> whenStopped;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<Long> stopped = new CompletableFuture<>();
    private final AtomicLong handledMessages = new AtomicLong();
    private final ClosingException closingNow = new ClosingException();

    private volatile boolean closing;
    private volatile boolean done;
    private volatile @Nullable Thread thread;

    /** Whether the thread may be interrupted: it waits, and no code of the caller runs. Changes under the lock. */
    private boolean waiting;

    private int handled;
    private @Nullable Throwable failure;
    private long failedPosition = -1;
    private int failures;

    QueueConsumer(
            Path directory,
            String name,
            Tailer tailer,
            MessageHandler handler,
            ConsumerOptions options,
            Consumer<QueueConsumer> whenStopped) {
        this.directory = directory;
        this.name = name;
        this.tailer = tailer;
        this.handler = handler;
        this.options = options;
        this.whenStopped = whenStopped;
    }

    /** Thrown at a message that arrives while the consumer is being closed, so that the tailer stays before it. */
    private static final class ClosingException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        private ClosingException() {
            super("closing", null, false, false);
        }
    }

    /** Returns the commit mode of the tailer for a consumer's options. */
    static Commit commitOf(ConsumerOptions options) {
        return options.commitMessages() == 1 ? Commit.WHEN_HANDLED : Commit.EXPLICIT;
    }

    /** Starts the thread. If that fails, the caller gets the error, and the name is free again. */
    void start() {
        try {
            Thread made = options.threads().newThread(this::run);
            if (made == null) {
                throw new IllegalStateException(
                        directory + ": the thread factory made no thread for consumer \"" + name + "\"");
            }
            thread = made;
            made.start();
        } catch (RuntimeException | Error e) {
            end(null);
            throw e;
        }
    }

    private void run() {
        Throwable error = null;
        try {
            boolean more = true;
            while (!closing) {
                more = handleSome(!more);
            }
        } catch (Throwable e) { // any error is reported to the caller, and the name is freed
            error = e;
        }
        end(error);
    }

    /** Handles messages up to a commit, and waits for the first one if {@code waits}. Returns whether there may be more. */
    private boolean handleSome(boolean waits) throws Throwable {
        handled = 0;
        failure = null;
        Throwable met = null;
        try {
            read(waits);
        } catch (ClosingException e) {
            assert closing;
        } catch (Throwable e) {
            met = e;
        } finally {
            leaveWait();
        }
        commit(met);
        if (failure != null) {
            tryAgain(failure);
        } else if (met != null) {
            requireClosing(met);
        }
        return handled > 0 || failure != null;
    }

    private void read(boolean waits) throws InterruptedException {
        if (!waits) {
            tailer.drain(this::handle, isCommittedByTailer() ? READ_MESSAGES : options.commitMessages());
        } else if (enterWait()) {
            tailer.poll(this::handle, FOREVER);
        }
    }

    private boolean isCommittedByTailer() {
        return commitOf(options) == Commit.WHEN_HANDLED;
    }

    private void handle(MemorySegment segment, long offset, int length) {
        leaveWait();
        if (closing) {
            throw closingNow;
        }
        try {
            handler.onMessage(segment, offset, length);
        } catch (Throwable e) {
            failure = e;
            throw e;
        }
        handled++;
        handledMessages.setPlain(handledMessages.getPlain() + 1);
    }

    private boolean enterWait() {
        lock.lock();
        try {
            waiting = !closing;
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait. After this {@link #close} does not interrupt the thread, and an interrupt that it has sent is cleared. */
    private void leaveWait() {
        if (waiting) {
            lock.lock();
            try {
                waiting = false;
            } finally {
                lock.unlock();
            }
            if (closing) {
                Thread.interrupted();
            }
        }
    }

    private void commit(@Nullable Throwable met) {
        if (handled > 0 && !isCommittedByTailer()) {
            try {
                tailer.commit();
            } catch (RuntimeException | Error e) {
                if (met != null) {
                    e.addSuppressed(met);
                }
                throw e;
            }
        }
    }

    /** Returns after a pause if the message is to be retried; else throws. */
    private void tryAgain(Throwable error) throws InterruptedException {
        long position = tailer.position();
        failures = position == failedPosition ? failures + 1 : 1;
        failedPosition = position;
        if (error instanceof Error || failures > options.retries()) {
            throw new ConsumerFailedException(
                    directory + ": the handler of consumer \"" + name + "\" failed at position "
                            + Position.toString(position) + ", " + failures + (failures == 1 ? " time: " : " times: ")
                            + error,
                    position,
                    error);
        }
        pause();
    }

    private void pause() throws InterruptedException {
        lock.lock();
        try {
            long left = options.retryPause().toNanos();
            while (left > 0 && !closing) {
                left = closed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireClosing(Throwable met) throws Throwable {
        if (met instanceof InterruptedException && closing) {
            return;
        }
        throw met;
    }

    private void end(@Nullable Throwable met) {
        Throwable error = met;
        if (met instanceof InterruptedException) {
            error = new InterruptedWaitException(directory + ": consumer \"" + name + "\" was interrupted", met);
        }
        try {
            ClosingSteps steps = new ClosingSteps();
            steps.take("tailer", tailer::close);
            steps.take("queue", () -> whenStopped.accept(this)); // in any case: the queue keeps each running consumer
            steps.end();
        } catch (Throwable e) {
            error = error == null ? e : error;
        }
        done = true;
        try {
            tell(error);
        } finally {
            ended.countDown();
        }
    }

    private void tell(@Nullable Throwable error) {
        if (error == null) {
            stopped.complete(handledMessages());
            return;
        }
        stopped.completeExceptionally(error);
        LOGGER.log(Level.WARNING, () -> directory + ": consumer \"" + name + "\" has stopped: " + error, error);
    }

    /** Returns the name of the tailer. */
    public String name() {
        return name;
    }

    /** Returns how many messages the handler has handled since the consumer was made. */
    public long handledMessages() {
        return handledMessages.getOpaque();
    }

    /**
     * Returns a stage that completes when the consumer has stopped and its name is free. After {@link #close} its result is the
     * number of handled messages; if the consumer stopped by itself, it completes with the error. Stages that depend on it run
     * on the consumer's thread.
     */
    public CompletionStage<Long> stopped() {
        return stopped.minimalCompletionStage();
    }

    /**
     * Stops the consumer in order: waits until the handler has returned, commits the handled messages, and frees the name. A
     * blocked handler is not interrupted. A consumer that has stopped by itself is closed silently.
     *
     * @throws IllegalStateException if the consumer's own handler calls this; nothing has changed then
     */
    @Override
    public void close() {
        if (!done) {
            requireOutside();
            closing = true;
            wake();
            awaitEnd();
        }
    }

    void requireOutside() {
        if (Thread.currentThread().equals(thread) && !done) {
            throw new IllegalStateException(
                    directory + ": consumer \"" + name + "\" cannot be closed from inside its own handler");
        }
    }

    private void wake() {
        lock.lock();
        try {
            closed.signalAll();
            Thread sleeper = thread;
            if (waiting && sleeper != null) {
                sleeper.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitEnd() {
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                ended.await();
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "consumer \"" + name + "\" of " + directory;
    }
}
