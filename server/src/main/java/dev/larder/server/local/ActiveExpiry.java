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
 * Removes expired keys that no command requests, so that their events are sent. Ten times a second {@link ExpiryThread} scans
 * some keys of each database for 1 ms, and for up to 25 ms while it finds expired keys. Once it has been through a database
 * and no key with a lifetime was met, it scans there every ten seconds.
 */
final class ActiveExpiry implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** How many rounds skip a database in which no key with a lifetime was met. */
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
    private final RepeatedFailures failures = new RepeatedFailures(
            System::nanoTime, (message, error) -> LOGGER.log(System.Logger.Level.WARNING, message, error));
    private final Runnable round = this::round;
    private boolean closed;

    /**
     * Begins to remove expired keys.
     *
     * @param each run ten times a second as well
     * @param afterRemoval run behind each removal, by the removing thread, while it holds the key's slot
     */
    ActiveExpiry(LocalStores stores, SlotLocks locks, Runnable each, Runnable afterRemoval) {
        this.each = each;
        this.afterRemoval = afterRemoval;
        this.stores = stores;
        this.locks = locks;
        ExpiryThread.OF_PROCESS.add(round);
    }

    /** Does the work that is due now. Only one thread calls it, so it waits for nothing but {@link #close}. */
    private synchronized void round() {
        if (!closed) {
            failures.attempt("cannot evict keys, or serve clients that wait", each);
            stores.opened() // one that fails keeps no other from its turn
                    .forEach(store -> failures.attempt(
                            "cannot remove expired keys of database " + store.index(), () -> look(store)));
        }
    }

    /** Sets the check whether removals are suspended. */
    void setStanding(BooleanSupplier stands) {
        standing = stands;
    }

    /** Sets whether it scans for expired keys that no command requests. */
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
        } catch (NoRoomYetException e) { // the cleaner makes room, and drops expired keys, too
            LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    /** Removes requested keys that had expired, so that they do not count any more. It skips keys that another thread changes. */
    void removeMissed(Store store) {
        if (standing.getAsBoolean()) {
            return;
        }
        store.drainMissed(key -> {
            ReentrantLock lock = locks.of(key);
            if (lock.tryLock()) {
                try {
                    store.waits().withoutReading(() -> store.removeExpired(key));
                } catch (NoRoomYetException | NotInMemoryException e) { // the expiry thread finds the key later
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

    /** Stops, after the round that is running. */
    @Override
    public void close() {
        ExpiryThread.OF_PROCESS.remove(round);
        synchronized (this) {
            closed = true;
        }
    }
}
