package dev.larder.server.stream;

import dev.larder.log.GoneException;
import dev.larder.log.LogFailedException;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.DiskWaits;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a stream, and its queue: opened when the stream is used, closed when it rests.
 *
 * <pre>
 * use ... close      one thread, under the lock
 * sync, space        without the lock, while others use it: the queue does not rest meanwhile
 * bringIn            the same, after the queue is open
 * rest               by the thread that opens the queue of another stream, if nobody uses this one
 * </pre>
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
abstract class StreamUse implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final StreamFolder folder;
    private final long number;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable StreamQueue queue;
    private volatile boolean gone;

    /** Whether it has no name any more, so that nobody needs what it holds. */
    private volatile boolean removed;

    private volatile boolean dirty;

    /** Whether entries are in the journal, and perhaps not durable in the queue. */
    private volatile boolean behind;

    /** Whether a flush of the queue has failed, so that nothing is known to be durable there any more. */
    private volatile boolean lost;

    /** How many threads use the queue without the lock: it stays open for them. */
    private final AtomicInteger background = new AtomicInteger();

    /** How many threads open or close the queue, or are about to: they hold the lock for long. */
    private final AtomicInteger openings = new AtomicInteger();

    private volatile long usedTick;
    private boolean wasOpened;
    private volatile long keptFirst;

    StreamUse(StreamFolder folder, long number) {
        this.folder = folder;
        this.number = number;
        folder.rests(true);
    }

    /** Brings what the records say and what the queue holds together. */
    abstract void begin(StreamQueue opened);

    /** Counts what was added to the queue since. */
    abstract void catchUp();

    /** Takes note that the queue is open, and all is counted. */
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
     * Locks it and opens its queue; returns false if it was removed.
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
            lock.lock(); // others hold it while they look at memory alone
        }
    }

    private StreamNotInMemoryException notInMemory() {
        return new StreamNotInMemoryException(
                this, -1, -1, "stream " + number + ": its queue is not open, and this thread may not wait for that");
    }

    /** Takes note that nobody knows which entries are in memory. */
    final void mayNotBeInMemory() {
        folder.missingPages().missing();
    }

    /** Returns the error of entries that are not in memory, from a sequence up to another, exclusive. */
    final StreamNotInMemoryException notInMemory(long from, long to, NotInMemoryException met) {
        mayNotBeInMemory();
        return new StreamNotInMemoryException(this, from, to, String.valueOf(met.getMessage()));
    }

    /** Opens the queue and brings in entries, from a sequence up to another. Others use the stream meanwhile. */
    void bringIn(long from, long to) {
        beside(open -> {
            if (from < to) {
                open.bringIn(from, to);
            }
        });
    }

    /** Opens the queue and reads it, without the lock. Others use the stream meanwhile; it may end early if they trim it. */
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

    /** Gives it back. */
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
                    markDirty(); // a process that was killed has added what was not flushed
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

    /** Counts a thread that is about to hold the lock for long, or one less. Others look before they use the stream meanwhile. */
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
     * Writes an entry that was added to the queue to the journal as well; returns false where a sync has to flush the queue
     * itself.
     */
    final boolean journal(long sequence, StreamId id, Fields fields) {
        StreamCommits commits = folder.commits();
        if (dirty || lost || !commits.takes(EntryFrame.lengthBytes(fields))) {
            return false;
        }
        if (!behind) {
            behind = true;
            commits.behind(this); // before the entry is there: who flushes the queues looks for the end first
        }
        return commits.journal(number, queue().identity(), sequence, id, fields);
    }

    /** Returns whether a flush of its queue has failed, whose entries are still needed. */
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

    /** Notes the first entry of a moment that is kept: what lies before it may go once it is. */
    void keepFirst() {
        keptFirst = first();
    }

    /** Gives back the segments before the first entry. Others use the stream meanwhile. */
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

    /** Makes what was added durable. Others use the stream meanwhile. */
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
     * Takes note of a sync that has failed, and returns whether that is to be told: nobody needs what a removed stream held, and
     * its files may be deleted already. What was added to another one meanwhile is not durable by the journal either: what lies
     * before it may be lost.
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

    /** Runs what needs no queue, while nobody uses the stream. */
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

    /** Closes the queue unless somebody uses the stream; returns whether it is closed. */
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
        } catch (LarderException e) { // who commits an entry of it is told
            LOGGER.log(System.Logger.Level.WARNING, "stream " + number + " stays open: " + e, e);
            return false;
        } finally {
            lock.unlock();
            openings.decrementAndGet();
        }
    }

    /** Has nobody begin to use it any more, as it is removed. It waits for nobody: whoever uses the stream or opens its queue goes on. */
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
                behind = true; // also where a sync was under way, which has failed by this
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
        boolean closes = gone; // else it stays open where it cannot be flushed
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
