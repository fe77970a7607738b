package dev.larder.server.stream;

import dev.larder.memory.ClosedException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a stream, and its queue: opened when the stream is used, closed when it rests.
 *
 * <pre>
 * use ... close      one thread, under the lock
 * sync, space        without the lock, while others use it: the queue does not rest meanwhile
 * rest               by the thread that opens the queue of another stream, if nobody uses this one
 * </pre>
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
abstract class StreamUse implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final StreamFolder folder;
    private final long number;
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable StreamQueue queue;
    private volatile boolean gone;
    private volatile boolean dirty;

    /** How many threads use the queue without the lock: it stays open for them. */
    private final AtomicInteger background = new AtomicInteger();

    private volatile long usedTick;
    private boolean wasOpened;
    private volatile long keptFirst;

    StreamUse(StreamFolder folder, long number) {
        this.folder = folder;
        this.number = number;
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

    /** Locks it and opens its queue; returns false if it was removed. */
    boolean use() {
        lock.lock();
        boolean used = false;
        try {
            if (!gone) {
                open();
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

    /** Gives it back. */
    @Override
    public void close() {
        lock.unlock();
    }

    private void open() {
        usedTick = folder.tick();
        if (queue == null) {
            StreamQueue opened = folder.openQueue(number);
            try {
                begin(opened);
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

    final void markDirty() {
        if (!dirty) {
            dirty = true;
            folder.dirty(this);
        }
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
        long position;
        lock.lock();
        try {
            open = queue;
            if (open == null) {
                return;
            }
            position = open.position(folder.isKept() ? keptFirst : first());
            background.incrementAndGet();
        } finally {
            lock.unlock();
        }
        try {
            open.dropBefore(position);
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
        } catch (ClosedException e) {
            if (!gone) {
                throw e;
            }
        } finally {
            background.decrementAndGet();
        }
    }

    private @Nullable StreamQueue beginSync() {
        lock.lock();
        try {
            dirty = false;
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

    /** Returns whether its queue was opened ever, so that all that it holds is counted. The caller holds its lock. */
    boolean wasOpened() {
        return wasOpened;
    }

    long usedTick() {
        return usedTick;
    }

    /** Closes the queue unless somebody uses the stream; returns whether it is closed. */
    boolean rest() {
        if (lock.isHeldByCurrentThread() || !lock.tryLock()) { // it may be the source of a copy
            return false;
        }
        try {
            boolean may = background.get() == 0;
            if (may) {
                closeQueue(true);
            }
            return may;
        } finally {
            lock.unlock();
        }
    }

    /** Has nobody use it any more. */
    void refuse() {
        lock.lock();
        try {
            gone = true;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue for good. */
    void closeForGood(boolean kept) {
        lock.lock();
        try {
            gone = true;
            closeQueue(kept);
        } finally {
            lock.unlock();
        }
    }

    private void closeQueue(boolean kept) {
        StreamQueue open = queue;
        if (open != null) {
            queue = null;
            try (open) {
                if (kept) {
                    saveHead();
                }
                if (kept && dirty) {
                    dirty = false;
                    open.sync();
                }
            }
        }
    }
}
