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
 * Makes what was added to streams durable.
 *
 * <pre>
 *             a sync flushes                  later, in the background
 * dirty       the queue of the stream
 * behind      the journal, one for all        the queue of the stream, before the journal forgets the entries
 * </pre>
 *
 * <p>An entry goes to the journal if every entry before it is durable, or will be by the same sync: so a replay finds no gap.
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

    /** Held by a sync: one that comes meanwhile waits, since what it must make durable may be under way in that one. */
    private final ReentrantLock committing = new ReentrantLock();

    /** Tells of an {@link #apply} that could not begin. Guarded by {@link #committing}. */
    private final Duty start;

    /** Null until entries are written to one. */
    private volatile @Nullable StreamJournal journal;

    /** Whether entries go to the journal. */
    private volatile boolean journals;

    /** Whether the journal has failed: what it holds stays for the next start, and no more comes. */
    private volatile boolean broken;

    /** Whether, since then, each stream is noted as dirty of which the journal has entries: before, a sync must still ask it. */
    private volatile boolean replaced;

    /** Whether a queue has failed of which the journal holds entries: all stays for the next start, and no more comes. */
    private volatile boolean keeps;

    /** How long the journal may become before the queues are synced again. */
    private volatile long pendingMostBytes;

    /**
     * Commits without a journal.
     *
     * @param directory the folder of the streams
     * @param background syncs the queues, which may take long; else the journal grows while it stands still
     */
    StreamCommits(Path directory, LogOptions options, Consumer<Runnable> background) {
        this(directory, options, background, PENDING_MAX_BYTES);
    }

    /**
     * Commits without a journal.
     *
     * @param directory the folder of the streams
     * @param background syncs the queues, which may take long; else the journal grows while it stands still
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

    /** Takes note of a stream whose queue the next sync flushes. */
    void dirty(StreamUse stream) {
        dirty.add(stream);
    }

    /** Takes note of a stream of which entries go to the journal alone. */
    void behind(StreamUse stream) {
        behind.add(stream);
    }

    /** Forgets a stream that is removed. */
    void forget(StreamUse stream) {
        dirty.remove(stream);
        behind.remove(stream);
    }

    /** Returns whether entries go to the journal, and one of so many bytes does. */
    boolean takes(long lengthBytes) {
        return journals && lengthBytes <= StreamJournal.MESSAGE_MAX_BYTES;
    }

    /** Writes an entry of a stream that is noted as {@link #behind}; returns false where its queue has to be flushed instead. */
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
            LOGGER.log(System.Logger.Level.DEBUG, directory + ": an entry goes to no journal", e);
            return false;
        }
        return !broken; // asked after the stream was noted: else who breaks off finds it there
    }

    /** Has the next sync flush the queues themselves, since the journal has failed. */
    private void breakOff(LogFailedException error) {
        if (!broken) {
            LOGGER.log(System.Logger.Level.ERROR, directory + ": entries go to no journal any more: " + error, error);
        }
        broken = true;
        journals = false;
        behind.forEach(StreamUse::markDirty);
        replaced = true;
    }

    /** Makes everything durable that was added before the call. A queue that fails holds up no other one. Thread-safe. */
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
        boolean queuesAlone = replaced; // asked first: a journal that fails from now on fails this sync
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

    /** Where no thread can be started for it, all is durable nevertheless, and the next sync tries again. */
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

    /** Flushes the queues of which entries are in the journal alone, and has the journal forget them. */
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

    /** Has the journal keep all that it holds until the next start: it is all that is left of some stream, and must not grow. */
    void keep(RuntimeException cause) {
        LOGGER.log(
                System.Logger.Level.ERROR,
                directory + ": the journal keeps its entries until the next start, and gets no more: " + cause,
                cause);
        keeps = true; // what it has is synced still
        journals = false;
    }

    /** The stream stays noted until its queue is flushed: if the journal fails meanwhile, the next sync has to flush it. */
    private void flushBehind(StreamUse stream) {
        stream.sync();
        stream.inPeace(() -> stream.isBehind() || behind.remove(stream)); // nobody adds to it meanwhile
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
        } catch (LogFailedException e) { // what it holds comes at the next start
            LOGGER.log(System.Logger.Level.ERROR, directory + ": the journal has failed: " + e, e);
        }
    }
}
