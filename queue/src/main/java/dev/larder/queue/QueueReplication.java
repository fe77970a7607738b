package dev.larder.queue;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.SystemLimitException;
import dev.larder.queue.connection.FollowRequest;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.SourceProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a copy of a queue of another host, in its own thread. It follows a {@link QueueServer}, copies each message exactly
 * once, and reconnects as often as needed. If either side is killed, it continues where the copy ends.
 *
 * {@snippet :
 * RemoteQueue source = new RemoteQueue(address, ConnectionSecurity.secret(file));
 * try (QueueReplication replication =
 *         QueueReplication.start(source, directory, LogOptions.defaults(), ReplicationOptions.defaults())) {
 *     replication.progress().lagMessages();
 * }
 * }
 *
 * <p>The copy is a queue like any other, with the same messages, in the same order, and with the same schemas. Any process may
 * read it meanwhile; no other program may append to it. Its positions are its own. Its sequences equal the source's if the
 * source had dropped no message when the copy began. Otherwise they are smaller by the number of dropped messages.
 *
 * <p>Named tailers are not copied. In the new queue, each name begins at the oldest message.
 *
 * <p>It ends by itself if another connection would not help. Then the source refuses it, is not the queue of this copy, has
 * dropped messages that the copy lacks, or has other messages than the copy. It then logs a
 * warning.
 */
public final class QueueReplication implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.queue");
    private static final long ACKNOWLEDGE_NANOS = Duration.ofSeconds(5).toNanos();

    private final RemoteQueue source;
    private final Path target;
    private final LogOptions options;
    private final ReplicationOptions replication;
    private final ReplicationLag lag = new ReplicationLag(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable SourceConnection connection;
    private volatile boolean isConnected;
    private volatile @Nullable String trouble;
    private volatile long copied;
    private volatile long durable;
    private long acknowledgedNanos;

    private QueueReplication(RemoteQueue source, Path target, LogOptions options, ReplicationOptions replication) {
        this.source = Objects.requireNonNull(source, "source");
        this.target = Objects.requireNonNull(target, "target");
        this.options = Objects.requireNonNull(options, "options");
        this.replication = Objects.requireNonNull(replication, "replication");
        this.thread = Thread.ofPlatform().daemon().name("larder-replicate").unstarted(this::run);
    }

    /**
     * Starts to follow. The source need not be reachable yet.
     *
     * @param target the directory of the copy, which is created if it is missing
     * @param options of the copy; a new copy takes the integrity and the largest segment of the source, and is refused if the
     *     options name others
     */
    public static QueueReplication start(
            RemoteQueue source, Path target, LogOptions options, ReplicationOptions replication) {
        QueueReplication started = new QueueReplication(source, target, options, replication);
        started.thread.start();
        return started;
    }

    /** Returns the progress of the copy. */
    public ReplicationProgress progress() {
        return new ReplicationProgress(
                isConnected,
                copied,
                lag.messages(),
                lag.bytes(),
                lag.time(),
                durable == 0 ? OptionalLong.empty() : OptionalLong.of(durable),
                Optional.ofNullable(trouble));
    }

    /**
     * Returns a stage that completes when the replication ends: normally after {@link #close}, or with an error that
     * reconnecting would not fix. Stages that depend on it run on the replication's thread, and may close it.
     */
    public CompletionStage<Void> ended() {
        return ended.minimalCompletionStage();
    }

    private boolean isWanted() {
        return closing.getCount() > 0;
    }

    private void run() {
        try {
            Duration pause = replication.firstPause();
            while (isWanted()) {
                try {
                    follow();
                } catch (IOException | DiskFullException | LogBusyException | SystemLimitException e) {
                    trouble = String.valueOf(e.getMessage());
                    pause = isConnected && e instanceof IOException ? replication.firstPause() : pause;
                    isConnected = false;
                    await(pause);
                    pause = longer(pause);
                }
            }
            isConnected = false;
            ended.complete(null);
        } catch (RuntimeException | Error e) {
            trouble = String.valueOf(e.getMessage());
            isConnected = false;
            LOGGER.log(System.Logger.Level.WARNING, target + ": the copy of " + source + " has ended: " + trouble, e);
            ended.completeExceptionally(e);
        }
    }

    private Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(replication.longestPause()) > 0 ? replication.longestPause() : twice;
    }

    /**
     * Waits for a random time of at least half the pause, so that the followers of a restarted source do not reconnect all at
     * once.
     */
    private void await(Duration pause) {
        long half = Math.max(1, pause.toNanos() / 2);
        try {
            boolean over = closing.await(half + ThreadLocalRandom.current().nextLong(half), TimeUnit.NANOSECONDS);
            assert over || isWanted();
        } catch (InterruptedException e) {
            throw new InterruptedWaitException(target + ": interrupted before the next connection", e);
        }
    }

    /** Follows over one connection. */
    private void follow() throws IOException {
        try (SourceConnection connected = new SourceConnection(source)) {
            connection = connected;
            if (!isWanted()) {
                return; // it was closed before it could see the connection
            }
            SourceDescription description = connected.begin(request().frame());
            try (CopyTarget copy = CopyTarget.open(target, description, options)) {
                receive(connected, copy);
            }
        } catch (IOException e) {
            if (isWanted()) {
                throw e;
            }
        } finally {
            connection = null;
        }
    }

    private FollowRequest request() {
        return CopyTarget.place(target, options)
                .map(begun ->
                        new FollowRequest(begun.identity(), replication.scope(), begun.from(), replication.name()))
                .orElse(new FollowRequest(SourceDescription.NONE, replication.scope(), 0, replication.name()));
    }

    private void receive(SourceConnection connected, CopyTarget copy) throws IOException {
        long before = copied;
        try {
            acknowledge(connected, copy);
            while (isWanted()) {
                take(connected.next(), copy);
                copied = before + copy.copied();
                if (copy.durable() != durable || System.nanoTime() - acknowledgedNanos > ACKNOWLEDGE_NANOS) {
                    acknowledge(connected, copy);
                }
            }
            copy.settle();
        } catch (IOException e) {
            copy.settle(); // the target is sound: messages that have arrived need not be sent again
            throw e;
        } finally {
            durable = copy.durable();
        }
    }

    private void take(Frame frame, CopyTarget copy) throws IOException {
        if (frame.kind() == Frame.Kind.PROGRESS) {
            lag.source(SourceProgress.parse(frame, source.toString()));
            isConnected = true;
            trouble = null;
            copy.idle();
        } else {
            QueueCopy.deliver(frame, copy, source.toString());
            if (frame.kind() == Frame.Kind.MESSAGE) {
                lag.message(frame.payload().length);
            }
        }
    }

    private void acknowledge(SourceConnection connected, CopyTarget copy) throws IOException {
        durable = copy.durable();
        connected.acknowledge(durable);
        acknowledgedNanos = System.nanoTime();
    }

    /**
     * Ends the replication, and makes the messages that have arrived durable. If a stage of {@link #ended} calls this, the
     * replication has already ended, and the call does not wait.
     */
    @Override
    public void close() {
        closing.countDown();
        SourceConnection open = connection;
        if (open != null) {
            open.close();
        }
        boolean interrupted = false;
        boolean isOwn = Thread.currentThread().equals(thread); // the thread would wait for itself
        while (!isOwn && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
