package dev.larder.server.local;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.NoRoomYetException;
import dev.larder.server.command.Database.MemoryState;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Keeps the memory of all databases' strings within {@code maxmemory}, by evicting some.
 *
 * <pre>
 * loop, before a command        half a millisecond at most, keys that are in memory
 * thread, ten times a second    25 ms at most, all keys
 * </pre>
 *
 * <p>Keys are compared in the order of their hashes, a batch at a time. At most an eighth of a batch is evicted, the worst by
 * the policy. Eviction continues to a little below the limit, so that not every command has to evict. If all keys were checked
 * and none may go, the memory counts as full until the thread finds one. It also counts as full when an eviction fails.
 * Thread-safe; one thread evicts at a time.
 */
final class MemoryLimit {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final long LOOP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long THREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final int MEASURE_ROUNDS = 10;
    private static final long MARGIN_SHARE = 64;
    private static final long MARGIN_MAX_BYTES = 1 << 20;

    private final LocalStores stores;
    private final SlotLocks locks;
    private final Runnable afterRemoval;
    private final ReentrantLock evicting = new ReentrantLock();
    private volatile long mostBytes;
    private volatile EvictionPolicy policy = EvictionPolicy.NOEVICTION;
    private volatile boolean exhausted;
    private volatile BooleanSupplier standing = () -> false;
    private int rounds;

    /** The position of the scan, and whether it has found anything since its beginning. Used only under the lock. */
    private int database;

    private long cursor;
    private boolean found;

    /** Whether the last eviction of a loop has failed, which is logged once. */
    private boolean failing;

    /**
     * Creates a limit, which is not set yet.
     *
     * @param afterRemoval run behind each eviction, by the evicting thread, while it holds the key's slot
     */
    MemoryLimit(LocalStores stores, SlotLocks locks, Runnable afterRemoval) {
        this.stores = stores;
        this.locks = locks;
        this.afterRemoval = afterRemoval;
    }

    /** Sets the check whether evictions are suspended; the limit then does not hold. */
    void setStanding(BooleanSupplier stands) {
        standing = stands;
    }

    /** Sets the limit, 0 for none, and the eviction policy. */
    void set(long most, EvictionPolicy next) {
        evicting.lock();
        try {
            policy = next;
            stores.follow(next, most > 0);
            stores.opened().forEach(store -> store.memory().measureIndex());
            exhausted = false;
            found = false;
            cursor = 0;
            database = 0;
            mostBytes = most;
        } finally {
            evicting.unlock();
        }
    }

    /**
     * Evicts for a short time if too much memory is used; does not wait for the disk. The caller holds no lock of a slot. An
     * error does not fail the command, which may not even need memory.
     */
    MemoryState keepWithin() {
        long most = mostBytes;
        if (most == 0) {
            return MemoryState.WITHIN;
        }
        if (used() <= most || standing.getAsBoolean()) {
            return MemoryState.WITHIN;
        }
        if (policy == EvictionPolicy.NOEVICTION || exhausted) {
            return MemoryState.FULL;
        }
        return keepWithin(most);
    }

    private MemoryState keepWithin(long most) {
        if (!evicting.tryLock()) {
            return MemoryState.WITHIN;
        }
        try {
            boolean any = evict(most, LOOP_NANOS, true);
            failing = false;
            return exhausted ? MemoryState.FULL : any ? MemoryState.EVICTED : MemoryState.WITHIN;
        } catch (RuntimeException | StackOverflowError e) {
            if (!failing) {
                failing = true;
                LOGGER.log(System.Logger.Level.WARNING, "maxmemory: cannot evict keys: " + e, e);
            }
            return MemoryState.FULL;
        } finally {
            evicting.unlock();
        }
    }

    private long used() {
        long used = 0;
        for (Store store : stores.opened()) {
            used += store.memory().usedBytes();
        }
        return used;
    }

    /** Does the work that commands have left. Called ten times a second, by one thread. */
    void tick() {
        long most = mostBytes;
        if (most == 0) {
            return;
        }
        if (++rounds % MEASURE_ROUNDS == 0) {
            stores.opened().forEach(store -> store.memory().measureIndex());
        }
        if (used() <= most) {
            exhausted = false;
        } else if (policy != EvictionPolicy.NOEVICTION && !standing.getAsBoolean()) {
            evicting.lock();
            try {
                evict(most, THREAD_NANOS, false);
            } finally {
                evicting.unlock();
            }
        }
    }

    /** Returns whether keys were evicted. */
    private boolean evict(long most, long nanos, boolean inLoop) {
        long enough = most - Math.min(most / MARGIN_SHARE, MARGIN_MAX_BYTES);
        long end = System.nanoTime() + nanos;
        boolean any = false;
        try {
            do {
                boolean evicted = evictSome(enough, inLoop);
                any |= evicted;
                found |= evicted;
            } while (!hasEndedInVain() && used() > enough && System.nanoTime() - end < 0);
        } catch (NotInMemoryException | NoRoomYetException e) { // the thread continues, and the cleaner was notified
            found = true;
        }
        exhausted &= !any;
        return any;
    }

    /** Returns whether all keys were checked since the last time, and none could go. */
    private boolean hasEndedInVain() {
        boolean ended = database >= stores.opened().size();
        if (ended) {
            database = 0;
            exhausted = !found;
            found = false;
        }
        return ended && exhausted;
    }

    private boolean evictSome(long enough, boolean inLoop) {
        List<Store> opened = stores.opened();
        if (database >= opened.size()) {
            database = 0; // the last one was checked, and then an eviction failed
        }
        Store store = opened.get(database);
        List<Bytes> keys = next(store, inLoop);
        boolean any = false;
        for (int i = 0; i < keys.size() && used() > enough; i++) {
            Bytes key = keys.get(i);
            try {
                any |= inLoop ? store.waits().withoutReading(() -> evict(store, key)) : evict(store, key);
            } catch (NotInMemoryException
                    | NoRoomYetException e) { // the thread continues, and the cleaner was notified
                found = true;
                break;
            }
        }
        return any;
    }

    /** Returns the next keys that may be evicted. */
    private List<Bytes> next(Store store, boolean inLoop) {
        EvictionPolicy now = policy;
        List<Bytes> keys = new ArrayList<>();
        if (now.isOnlyVolatile() && !store.hasMetExpiry()) {
            cursor = 0;
        } else if (inLoop) {
            cursor = store.waits().withoutReading(() -> store.memory().scanEvictable(cursor, now, keys::add));
        } else {
            cursor = store.memory().scanEvictable(cursor, now, keys::add);
        }
        database += cursor == 0 ? 1 : 0;
        return keys;
    }

    private void unlock(ReentrantLock lock) {
        try {
            afterRemoval.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Evicts a key, unless a command is changing it. This thread does not wait for that command: it may be a transaction that
     * waits for this thread, in order to set another limit.
     */
    private boolean evict(Store store, Bytes key) {
        ReentrantLock lock = locks.of(key);
        if (!lock.tryLock()) {
            found = true; // it may go at the next look
            return false;
        }
        try {
            return store.memory().evict(key, policy);
        } finally {
            unlock(lock);
        }
    }
}
