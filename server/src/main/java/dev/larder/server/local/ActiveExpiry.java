package dev.larder.server.local;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.NoRoomYetException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Removes keys that have expired, and so has them told of, although nobody asks for them. Ten times a second
 * {@link ExpiryThread} looks at some keys of each database for a millisecond, and for longer while it finds expired ones: 25 at
 * most. Where it has been through a database and no key with a lifetime was met, it looks there every ten seconds.
 */
final class ActiveExpiry implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** How many rounds a database is left out of in which no key with a lifetime was met. */
    private static final int RESTING_ROUNDS = 100;

    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    /** Where the scan of a store stands. */
    private static final class Scan {
        private long cursor;
        private boolean ended;
        private int resting;
        private long untilNanos;
    }

    private final LocalStores stores;
    private final SlotLocks locks;
    private final Runnable each;
    private final Runnable afterRemoval;
    private volatile boolean active = true;
    private volatile BooleanSupplier standing = () -> false;
    private final Map<Store, Scan> scans = new HashMap<>();
    private final Runnable round = this::round;
    private boolean closed;

    /**
     * Begins.
     *
     * @param each done ten times a second as well
     * @param afterRemoval done behind each removal, by its thread, while it holds the key's slot
     */
    ActiveExpiry(LocalStores stores, SlotLocks locks, Runnable each, Runnable afterRemoval) {
        this.each = each;
        this.afterRemoval = afterRemoval;
        this.stores = stores;
        this.locks = locks;
        ExpiryThread.OF_PROCESS.add(round);
    }

    /** Does what is due now. One thread alone calls it, so that it waits for nothing but a closing. */
    private synchronized void round() {
        if (!closed) {
            attempt("keys could not be evicted", each);
            attempt("expired keys could not be removed", () -> stores.opened().forEach(this::look));
        }
    }

    private static void attempt(String otherwise, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.WARNING, otherwise + ": " + e, e);
        }
    }

    /** Sets what tells whether nothing is removed now. */
    void setStanding(BooleanSupplier stands) {
        standing = stands;
    }

    /** Sets whether it looks for expired keys that nobody has asked for. */
    void setActive(boolean now) {
        active = now;
    }

    private void look(Store store) {
        if (standing.getAsBoolean()) {
            return;
        }
        if (!active) {
            removeMissed(store);
            return;
        }
        Scan scan = scans.computeIfAbsent(store, key -> new Scan());
        if (scan.ended && !store.hasMetExpiry() && ++scan.resting % RESTING_ROUNDS != 0) {
            return;
        }
        long last = System.nanoTime() + LONG_NANOS;
        scan.untilNanos = System.nanoTime() + SHORT_NANOS;
        try {
            scan.cursor = store.keys()
                    .scanExpired(
                            scan.cursor,
                            ThreadLocalRandom.current(),
                            () -> System.nanoTime() - scan.untilNanos < 0,
                            key -> {
                                remove(store, key);
                                long next = System.nanoTime() + SHORT_NANOS;
                                scan.untilNanos = next - last < 0 ? next : last;
                            });
            scan.ended |= scan.cursor == 0;
        } catch (NoRoomYetException e) { // the cleaner makes room, and drops what has expired, too
            LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    /** Removes what was asked for and had expired, so that it does not count any more, where nobody else changes it. */
    void removeMissed(Store store) {
        if (standing.getAsBoolean()) {
            return;
        }
        store.drainMissed(key -> {
            ReentrantLock lock = locks.of(key);
            if (lock.tryLock()) {
                try {
                    store.waits().withoutReading(() -> store.removeExpired(key));
                } catch (NoRoomYetException | NotInMemoryException e) { // the thread finds it later
                    LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
                } finally {
                    unlock(lock);
                }
            }
        });
    }

    private void remove(Store store, Bytes key) {
        ReentrantLock lock = locks.of(key);
        lock.lock();
        try {
            store.removeExpired(key);
        } finally {
            unlock(lock);
        }
    }

    private void unlock(ReentrantLock lock) {
        try {
            afterRemoval.run();
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, after the round that is running. */
    @Override
    public void close() {
        ExpiryThread.OF_PROCESS.remove(round);
        synchronized (this) {
            closed = true;
        }
    }
}
