package dev.larder.server.stream;

import dev.larder.log.GoneException;
import dev.larder.log.LogFailedException;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.DiskWaits;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a stream, and its queue. The queue is opened when the stream is used, and closed when the stream rests.
 *
 * <pre>
 * use ... close      one thread, under the lock
 * sync, space        without the lock, while others use it: the queue does not rest meanwhile
 * bringIn            the same, after the queue is open
 * rest               by the thread that opens the queue of another stream, if no thread uses this one
 * </pre>
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
abstract class StreamUse implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** How long a thread uses a stream whose queue is open and in memory. */
    private static final long SHORT_MILLIS = 5;

    private final StreamFolder folder;
    private final long number;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable StreamQueue queue;
    private volatile boolean gone;

    /** Whether the stream has no name any more, so that its entries are not needed. */
    private volatile boolean removed;

    private volatile boolean dirty;

    /** Whether entries are in the journal, and perhaps not durable in the queue. */
    private volatile boolean behind;

    /** Whether a flush of the queue has failed, so that nothing there is known to be durable. */
    private volatile boolean lost;

    /** How many threads use the queue without the lock: it stays open for them. */
    private final AtomicInteger background = new AtomicInteger();

    /** How many threads open or close the queue, or are about to. They hold the lock for long. */
    private final AtomicInteger openings = new AtomicInteger();

    private volatile long usedTick;

    /** The turn of its name; -1 if it has none. */
    private final AtomicLong turn = new AtomicLong(-1);

    private boolean wasOpened;
    private volatile long keptFirst;

    StreamUse(StreamFolder folder, long number) {
        this.folder = folder;
        this.number = number;
        folder.rests(true);
    }

    /** Reconciles the records with the queue. */
    abstract void begin(StreamQueue opened);

    /** Counts the messages that were added to the queue since. */
    abstract void catchUp();

    /** Records that the queue is open, and that all messages are counted. */
    abstract void opened();

    /** Writes the head's record. */
    abstract void saveHead();

    /** Removes all records. */
    abstract void removeRecords();

    /** Returns the sequence of the first entry. */
    abstract long first();

    StreamRecords records() {
        return folder.records();
    }

    /** Returns the number of its folder. */
    public long number() {
        return number;
    }

    /**
     * Locks the stream and opens its queue; returns false if the stream was removed.
     *
     * @throws StreamNotInMemoryException if this thread may not wait for the disk, and the queue is closed
     */
    public boolean use() {
        boolean mayWait = !DiskWaits.areForbidden();
        boolean opens = mayWait && queue == null;
        if (opens) {
            openings.incrementAndGet();
        }
        try {
            return use(mayWait);
        } finally {
            if (opens) {
                openings.decrementAndGet();
            }
        }
    }

    private boolean use(boolean mayWait) {
        lock(mayWait);
        boolean used = false;
        try {
            if (!gone) {
                open(mayWait);
                catchUp();
                used = true;
            }
        } finally {
            if (!used) {
                lock.unlock();
            }
        }
        return used;
    }

    private void lock(boolean mayWait) {
        if (mayWait) {
            lock.lock();
        } else if (!lock.tryLock()) {
            if (openings.get() > 0) {
                throw notInMemory();
            }
            lock.lock(); // other threads hold it only while they read memory
        }
    }

    /** Notes the turn of its name, and returns the turn before. */
    long named(long nameTurn) {
        return turn.getAndSet(nameTurn);
    }

    boolean isNamed(long nameTurn) {
        return turn.get() == nameTurn;
    }

    private StreamNotInMemoryException notInMemory() {
        return new StreamNotInMemoryException(
                this, -1, -1, "stream " + number + ": its queue is not open, and this thread may not wait for that");
    }

    /** Records that it is not known which entries are in memory. */
    final void mayNotBeInMemory() {
        folder.missingPages().missing();
    }

    /** Returns the error about entries that are not in memory, from a sequence up to another, exclusive. */
    final StreamNotInMemoryException notInMemory(long from, long to, NotInMemoryException met) {
        mayNotBeInMemory();
        return new StreamNotInMemoryException(this, from, to, String.valueOf(met.getMessage()));
    }

    /** Opens the queue and loads entries, from a sequence up to another. Other threads use the stream meanwhile. */
    void bringIn(long from, long to) {
        beside(open -> {
            if (from < to) {
                open.bringIn(from, to);
            }
        });
    }

    /**
     * Opens the queue and reads it without the lock. Other threads use the stream meanwhile; reading may end early if they
     * trim it.
     */
    void beside(Consumer<StreamQueue> reading) {
        if (!use()) {
            return; // it was removed
        }
        StreamQueue open = queue();
        background.incrementAndGet();
        close();
        try {
            reading.accept(open);
        } catch (ClosedException | GoneException | IllegalArgumentException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "stream " + number + " was removed or trimmed meanwhile", e);
        } finally {
            background.decrementAndGet();
        }
    }

    /** Unlocks the stream. */
    @Override
    public void close() {
        lock.unlock();
    }

    private void open(boolean mayWait) {
        usedTick = folder.tick();
        StreamQueue there = queue;
        if (there == null && !mayWait) {
            throw notInMemory();
        }
        if (there != null && !mayWait && folder.missingPages().isToAsk(usedTick)) {
            folder.missingPages().present(); // until it turns out otherwise
            there.forgetPages();
        }
        if (there == null) {
            folder.requireWhole(number);
            StreamQueue opened = folder.openQueue(number);
            try {
                begin(opened);
                if (!wasOpened && !isKept() && !opened.isDurable()) {
                    markDirty(); // a killed process has added messages that were not flushed
                }
            } catch (RuntimeException | Error e) {
                opened.close();
                throw e;
            }
            queue = opened;
            wasOpened = true;
            opened();
            folder.opened(this);
        }
    }

    final StreamQueue queue() {
        return Objects.requireNonNull(queue, "not in use");
    }

    /**
     * Adds to the count of threads that are about to hold the lock for long. Meanwhile other threads check before they use the
     * stream.
     */
    public final void openings(int more) {
        openings.addAndGet(more);
        folder.rests(more > 0);
    }

    final void markDirty() {
        if (!dirty) {
            dirty = true;
            folder.dirty(this);
        }
    }

    /**
     * Writes an entry that was added to the queue to the journal as well. Returns false if a sync has to flush the queue
     * itself.
     */
    final boolean journal(long sequence, StreamId id, Fields fields) {
        StreamCommits commits = folder.commits();
        if (dirty || lost || !commits.takes(EntryFrame.lengthBytes(fields))) {
            return false;
        }
        if (!behind) {
            behind = true;
            commits.behind(this); // before the entry is there: a flush of the queues reads the end first
        }
        return commits.journal(number, queue().identity(), sequence, id, fields);
    }

    /** Returns whether a flush of the queue has failed, and its entries are still needed. */
    final boolean isLost() {
        return lost && !removed;
    }

    /** Returns whether entries may be durable in the journal alone. */
    final boolean isBehind() {
        return behind;
    }

    boolean isKept() {
        return folder.isKept();
    }

    void releaseSpaceLater() {
        if (folder.isKept()) {
            folder.trimmed(this);
        } else {
            folder.inBackground(this::releaseSpace);
        }
    }

    /** Records the first entry of a moment that is about to be kept: entries before it may go once the moment is kept. */
    void keepFirst() {
        keptFirst = first();
    }

    /** Releases the segments before the first entry. Other threads use the stream meanwhile. */
    void releaseSpace() {
        StreamQueue open;
        long first;
        lock.lock();
        try {
            open = queue;
            if (open == null) {
                return;
            }
            first = folder.isKept() ? keptFirst : first();
            background.incrementAndGet();
        } finally {
            lock.unlock();
        }
        try {
            open.dropBefore(open.position(first));
        } catch (ClosedException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "stream " + number + " was removed meanwhile", e);
        } finally {
            background.decrementAndGet();
        }
    }

    /** Makes added entries durable. Other threads use the stream meanwhile. */
    void sync() {
        StreamQueue open = beginSync();
        if (open == null) {
            return;
        }
        try {
            open.sync();
        } catch (RuntimeException | Error e) {
            boolean closedMeanwhile = gone && e instanceof ClosedException; // its closing makes it durable
            if (!closedMeanwhile && syncFailed(e)) {
                throw e;
            }
        } finally {
            background.decrementAndGet();
        }
    }

    /**
     * Records a failed sync, and returns whether to report it. The entries of a removed stream are not needed, and its files
     * may be deleted already. Entries that were added to another stream meanwhile are not durable by the journal either:
     * entries before them may be lost.
     */
    private boolean syncFailed(Throwable error) {
        lock.lock();
        try {
            if (removed) {
                LOGGER.log(System.Logger.Level.DEBUG, "stream " + number + " was removed meanwhile", error);
                return error instanceof Error;
            }
            lost |= error instanceof LogFailedException;
            markDirty(); // the next sync fails as well, or makes up for this one
            behind = true; // what the journal alone has stays there
            folder.commits().behind(this);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable StreamQueue beginSync() {
        lock.lock();
        try {
            dirty = false;
            if (lost && !gone) {
                throw new StorageException("stream " + number + ": a flush of its queue has failed");
            }
            behind = false;
            if (folder.isKept() && !gone) {
                saveHead();
            }
            if (queue != null) {
                background.incrementAndGet();
            }
            return queue;
        } finally {
            lock.unlock();
        }
    }

    /** Removes all records of a stream that has ended. */
    void removeAllRecords() {
        lock.lock();
        try {
            removeRecords();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action as {@link #inPeace} does; returns null if another thread uses the stream for long. */
    final <T> @Nullable T soonInPeace(Supplier<T> look) {
        try {
            if (!lock.tryLock(SHORT_MILLIS, TimeUnit.MILLISECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action that needs no queue, while no thread uses the stream. */
    <T> T inPeace(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    long usedTick() {
        return usedTick;
    }

    /** Closes the queue unless a thread uses the stream; returns whether it is closed. */
    boolean rest() {
        if (lock.isHeldByCurrentThread() || !lock.tryLock()) { // it may be the source of a copy
            return false;
        }
        openings.incrementAndGet();
        try {
            boolean may = background.get() == 0;
            if (may) {
                closeQueue(true);
            }
            return may;
        } catch (LarderException e) { // a commit of its entries reports the error
            LOGGER.log(System.Logger.Level.WARNING, "stream " + number + ": cannot close its queue: " + e, e);
            return false;
        } finally {
            lock.unlock();
            openings.decrementAndGet();
        }
    }

    /**
     * Refuses new uses, because the stream is removed. It does not wait: threads that use the stream or open its queue
     * continue.
     */
    void refuse() {
        removed = true;
        gone = true;
    }

    /** Closes the queue for good. */
    void closeForGood(boolean kept) {
        lock.lock();
        try {
            gone = true;
            closeQueue(kept);
            behind &= kept;
            folder.rests(false);
        } catch (RuntimeException | Error e) {
            if (kept) {
                behind = true; // also if a sync was under way, which has failed by this
                folder.commits().behind(this);
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void closeQueue(boolean kept) {
        StreamQueue open = queue;
        if (open == null) {
            return;
        }
        boolean closes = gone; // else it stays open if it cannot be flushed
        try {
            if (kept) {
                saveHead();
                flush(open);
            }
            closes = true;
        } finally {
            if (closes) {
                queue = null;
                folder.rests(true);
                open.close();
            }
        }
    }

    private void flush(StreamQueue open) {
        if (dirty || behind) {
            open.sync();
            dirty = false;
            behind = false;
        }
    }
}
