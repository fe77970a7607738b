package dev.larder.server.stream;

import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.Duty;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries that were added to streams durable.
 *
 * <pre>
 *             a sync flushes                  later, in the background
 * dirty       the queue of the stream
 * behind      the journal, one for all        the queue of the stream, before the journal forgets the entries
 * </pre>
 *
 * <p>An entry goes to the journal if every entry before it is durable, or will be by the same sync. So a replay finds no gap.
 */
final class StreamCommits implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final long PENDING_MAX_BYTES = 64L << 20;

    private final Path directory;
    private final LogOptions options;
    private final Consumer<Runnable> background;
    private final long pendingMaxBytes;
    private final Set<StreamUse> dirty = ConcurrentHashMap.newKeySet();
    private final Set<StreamUse> behind = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean applying = new AtomicBoolean();

    /** Held by a sync. A second sync waits, because the first may be flushing what the second must make durable. */
    private final ReentrantLock committing = new ReentrantLock();

    /** Reports an {@link #apply} that could not begin. Guarded by {@link #committing}. */
    private final Duty start;

    /** Null until entries are written to a journal. */
    private volatile @Nullable StreamJournal journal;

    /** Whether entries go to the journal. */
    private volatile boolean journals;

    /** Whether the journal has failed: its entries stay for the next start, and no more are added. */
    private volatile boolean broken;

    /**
     * Whether, since the failure, each stream with entries in the journal is noted as dirty. Before that, a sync must still
     * use the journal.
     */
    private volatile boolean replaced;

    /** Whether a queue has failed whose entries the journal holds: all entries stay for the next start, and no more are added. */
    private volatile boolean keeps;

    /** How long the journal may become before the queues are synced again. */
    private volatile long pendingMostBytes;

    /**
     * Creates commits without a journal.
     *
     * @param directory the folder of the streams
     * @param background syncs the queues, which may take long; while it is blocked, the journal grows
     */
    StreamCommits(Path directory, LogOptions options, Consumer<Runnable> background) {
        this(directory, options, background, PENDING_MAX_BYTES);
    }

    /**
     * Creates commits without a journal.
     *
     * @param directory the folder of the streams
     * @param background syncs the queues, which may take long; while it is blocked, the journal grows
     * @param pendingMaxBytes how long the journal becomes before the queues are synced
     */
    StreamCommits(Path directory, LogOptions options, Consumer<Runnable> background, long pendingMaxBytes) {
        this.directory = directory;
        this.options = options;
        this.background = background;
        this.pendingMaxBytes = pendingMaxBytes;
        this.pendingMostBytes = pendingMaxBytes;
        this.start = new Duty(directory + ": the start of a sync of the queues behind the journal", LOGGER);
    }

    /** Sets whether entries go to a journal. */
    synchronized void setJournals(boolean now) {
        if (now && journal == null) {
            journal = StreamJournal.open(directory, options);
        }
        journals = now && !broken && !keeps;
        if (!now && journal != null) {
            background.accept(this::apply);
        }
    }

    /** Records a stream whose queue the next sync flushes. */
    void dirty(StreamUse stream) {
        dirty.add(stream);
    }

    /** Records a stream that has entries in the journal alone. */
    void behind(StreamUse stream) {
        behind.add(stream);
    }

    /** Forgets a stream that is removed. */
    void forget(StreamUse stream) {
        dirty.remove(stream);
        behind.remove(stream);
    }

    /** Returns whether an entry of this many bytes goes to the journal. */
    boolean takes(long lengthBytes) {
        return journals && lengthBytes <= StreamJournal.MESSAGE_MAX_BYTES;
    }

    /** Writes an entry of a stream that is noted as {@link #behind}; returns false if its queue has to be flushed instead. */
    boolean journal(long number, UUID queue, long sequence, StreamId id, Fields fields) {
        StreamJournal known = journal;
        if (known == null) {
            return false;
        }
        try {
            known.add(number, queue, sequence, id, fields);
        } catch (LogFailedException e) {
            breakOff(e);
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.DEBUG, directory + ": cannot add an entry to the journal", e);
            return false;
        }
        return !broken; // read after the stream was noted, so that a later breakOff finds it
    }

    /** Makes the next sync flush the queues themselves, because the journal has failed. */
    private void breakOff(LogFailedException error) {
        if (!broken) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    directory + ": the journal failed, so syncs flush the queues of the streams: " + error,
                    error);
        }
        broken = true;
        journals = false;
        behind.forEach(StreamUse::markDirty);
        replaced = true;
    }

    /** Makes everything durable that was added before the call. A queue that fails does not stop the others. Thread-safe. */
    void sync() {
        committing.lock();
        try {
            syncAlone();
        } finally {
            committing.unlock();
        }
    }

    private void syncAlone() {
        RuntimeException failure = null;
        boolean queuesAlone = replaced; // read first: a journal that fails from now on fails this sync
        for (StreamUse stream : List.copyOf(dirty)) {
            dirty.remove(stream); // before its sync, so that what is added meanwhile counts for the next one
            try {
                stream.sync();
            } catch (RuntimeException e) {
                failure = first(failure, e);
            }
        }
        StreamJournal known = journal;
        if (known != null && !queuesAlone) {
            try {
                sync(known);
            } catch (RuntimeException e) {
                failure = first(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException first(@Nullable RuntimeException before, RuntimeException next) {
        if (before == null) {
            return next;
        }
        before.addSuppressed(next);
        return before;
    }

    private void sync(StreamJournal known) {
        try {
            known.sync();
        } catch (LogFailedException e) {
            breakOff(e);
            throw e;
        }
        if (journals && known.pendingBytes() > pendingMostBytes && applying.compareAndSet(false, true)) {
            beginApply();
        }
    }

    /** Starts {@link #apply}. If no thread can be started, all is durable nevertheless, and the next sync tries again. */
    private void beginApply() {
        try {
            background.accept(() -> {
                try {
                    apply();
                } finally {
                    applying.set(false);
                }
            });
            start.succeeded();
        } catch (RuntimeException | Error e) {
            applying.set(false);
            start.failed(e);
        }
    }

    /** Flushes the queues whose entries are in the journal alone, and lets the journal forget those entries. */
    synchronized void apply() {
        StreamJournal known = journal;
        if (known == null || broken || keeps) {
            return;
        }
        long end = known.end(); // each entry before it is in its queue
        RuntimeException failure = null;
        for (StreamUse stream : List.copyOf(behind)) {
            try {
                flushBehind(stream);
            } catch (RuntimeException e) {
                failure = first(failure, e);
            }
        }
        if (failure == null) {
            known.applied(end);
            pendingMostBytes = pendingMaxBytes;
        } else if (behind.stream().anyMatch(StreamUse::isLost)) {
            keep(failure);
            throw failure;
        } else {
            pendingMostBytes = known.pendingBytes() + pendingMaxBytes;
            throw failure;
        }
    }

    /**
     * Makes the journal keep its entries until the next start: for some stream they are all that is left. The journal must not
     * grow.
     */
    void keep(RuntimeException cause) {
        LOGGER.log(
                System.Logger.Level.ERROR,
                directory
                        + ": a queue cannot take the journal's entries; the journal keeps them until the next start,"
                        + " and gets no more: "
                        + cause,
                cause);
        keeps = true; // its entries are still synced
        journals = false;
    }

    /**
     * Flushes the queue of a stream. The stream stays noted until then: if the journal fails meanwhile, the next sync has to
     * flush it.
     */
    private void flushBehind(StreamUse stream) {
        stream.sync();
        stream.inPeace(() -> stream.isBehind() || behind.remove(stream)); // no thread adds to it meanwhile
    }

    /** Closes the journal, which forgets its entries if the queues of all streams were flushed. */
    @Override
    public synchronized void close() {
        StreamJournal known = journal;
        journal = null;
        journals = false;
        try (known) {
            if (known != null && !broken && !keeps && behind.stream().noneMatch(StreamUse::isBehind)) {
                known.applied(known.end());
            }
        } catch (LogFailedException e) { // its entries come back at the next start
            LOGGER.log(System.Logger.Level.ERROR, directory + ": the journal has failed: " + e, e);
        }
    }
}
