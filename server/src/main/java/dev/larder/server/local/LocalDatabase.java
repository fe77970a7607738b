package dev.larder.server.local;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.KeyPositions;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.Database.KeyWatch;
import dev.larder.server.command.Execution;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.Wait;
import dev.larder.server.dump.LongDump;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.CommandClock;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.UnnamedStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands on the stores of this node, in the thread of the caller.
 *
 * <pre>
 *                     locks
 * read of one key     none; that of its slot while a change of several steps is open, or if one has begun meanwhile
 * read of more        all of their slots, so that no change comes between
 * DBSIZE              none; all while a change of several steps is open
 * KEYS, SCAN          none: they walk beside changes
 * write               its slots; one that names no keys takes all
 * transaction         all of its slots, and those that are watched
 * </pre>
 *
 * <p>A change of several steps (several keys, a transaction) is announced in {@link OpenChanges}, so that a read sees all of
 * it or nothing. A write of one key is one step: one record of the map, or one use of a stream, which has a lock of its own.
 */
public final class LocalDatabase implements Database {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** Reads that name no key and visit many: they would hold all locks for long. */
    static final Set<String> WALKS = Set.of("keys", "scan", "randomkey");

    /** The state that the loops of a node share. */
    public static final class Shared implements AutoCloseable {

        private final LocalStores stores;
        private final SlotLocks locks = new SlotLocks();
        private final OpenChanges changes = new OpenChanges();
        private final GroupCommit commits;
        private final Waiters waiters = new Waiters(locks);
        private final WatchedKeys watched = new WatchedKeys();
        private volatile boolean always;
        private final ActiveExpiry expiry;
        private final Preparations preparations = new Preparations();
        private final Backups backups;
        private final MemoryLimit limit;

        /** Creates the state for some stores. Each change is acknowledged after a sync, or at once. */
        public Shared(LocalStores stores, boolean always) {
            this.stores = stores;
            this.always = always;
            this.commits = new GroupCommit(stores::sync);
            stores.waiters(both(watched, waiters));
            stores.setStreamJournals(always);
            this.limit = new MemoryLimit(stores, locks, this::serveWaiters);
            this.expiry = new ActiveExpiry(stores, locks, this::tick, this::serveWaiters);
            this.backups = new Backups(stores, locks);
        }

        private void tick() {
            try {
                limit.tick();
            } finally {
                waiters.serveOthers(this::serveWaiters);
            }
        }

        /** Serves the clients that wait for a key which this thread has removed. The thread holds the key's slot. */
        private void serveWaiters() {
            if (waiters.hasChanges()) {
                waiters.serve(new Execution(stores, new ReplyEncoder(new ReplyBuffer())), stores, always);
            }
        }

        private static ChangeListener both(ChangeListener first, ChangeListener second) {
            return new ChangeListener() {
                @Override
                public void onEvent(Store store, Bytes key, KeyEvent event) {
                    first.onEvent(store, key, event);
                    second.onEvent(store, key, event);
                }

                @Override
                public void onClear(Store store) {
                    first.onClear(store);
                    second.onClear(store);
                }
            };
        }

        /** Returns the database for one event loop, which never blocks. */
        public Database forLoop() {
            return new ReadyDatabase(new LocalDatabase(this), stores, preparations);
        }

        /** Returns how many clients wait for keys to change. */
        public int waiting() {
            return waiters.count();
        }

        /** Returns how many keys clients watch. */
        int watched() {
            return watched.count();
        }

        /** Ends the waits of all clients for changes of keys, with an error. */
        public void endWaits(String error) {
            waiters.endAll(error);
        }

        /** Sets whether changes from now on are acknowledged after a sync, or at once. */
        public void setAlways(boolean each) {
            always = each;
            stores.setStreamJournals(each);
        }

        /** Sets how many bytes strings may take, 0 for no limit, and what is evicted beyond that. */
        void limitMemory(long mostBytes, EvictionPolicy policy) {
            limit.set(mostBytes, policy);
        }

        /** Sets the check whether removals without a client's command are suspended. */
        void setStanding(BooleanSupplier stands) {
            limit.setStanding(stands);
            expiry.setStanding(stands);
        }

        /** Sets whether the server scans for expired keys. */
        void setActiveExpiry(boolean active) {
            expiry.setActive(active);
        }

        /** Writes the contents of the stores at one moment to a folder that does not exist yet. */
        void backup(Path to) {
            backups.write(to);
        }

        /** Syncs soon, in the thread of the group commit. */
        public void syncSoon() {
            commits.await(error -> {
                if (error != null) {
                    LOGGER.log(System.Logger.Level.ERROR, "a sync of a database failed: " + error, error);
                }
            });
        }

        @Override
        public void close() {
            backups.close();
            expiry.close();
            preparations.close();
            commits.close();
        }
    }

    private final Shared shared;
    private final Execution execution;

    /** Creates the database for one event loop. */
    public LocalDatabase(Shared shared) {
        this.shared = shared;
        this.execution = new Execution(shared.stores, new ReplyEncoder(new ReplyBuffer()));
    }

    @Override
    public boolean run(Call call) {
        Command command = call.command();
        boolean writes = command.is(CommandFlag.WRITE);
        KeyPositions keys = command.keys();
        boolean one = keys.first() > 0 && keys.first() == keys.last();
        boolean none = keys.equals(KeyPositions.NONE);
        if (!writes && none && WALKS.contains(command.name())) {
            runWithin(call);
        } else if (!writes && none) { // DBSIZE does not count keys that clients know to be gone
            shared.expiry.removeMissed(shared.stores.store(call.database()));
            runIsolated(call);
        } else if (!writes && one) {
            runIsolated(call);
        } else if (one) {
            runWithLock(call);
        } else {
            runWithLocks(call);
        }
        return writes && shared.always;
    }

    /** Sets the stream that was made for the next commands, as {@link Execution#madeStream}. */
    void madeStream(@Nullable UnnamedStream ready, boolean orNotAtAll) {
        execution.madeStream(ready, orNotAtAll);
    }

    /** Sets the dumps that were made for the next command, as {@link Execution#madeDumps}. */
    void madeDumps(@Nullable TransactionDumps ready) {
        execution.madeDumps(ready);
    }

    /** Makes the dump of the stream that a call names, in a thread that may wait. */
    void make(LongDump dump, Call call) {
        Bytes key = Bytes.of(call.request(), 1);
        Store store = shared.stores.store(call.database());
        Stream stream = streamOf(store, key);
        if (stream != null) {
            dump.make(stream, shared.locks.of(key), () -> stream.equals(streamOf(store, key)));
        }
    }

    /** Returns the stream of a key, unlocked again; null if there is none. */
    private static @Nullable Stream streamOf(Store store, Bytes key) {
        try (@Nullable Stream stream = store.stream(key)) {
            return stream;
        } catch (WrongTypeException e) {
            return null;
        }
    }

    /**
     * Returns the reply to a command that walks over the keys. It is called in a thread that may wait, and which is not that of
     * this object's loop.
     *
     * @param version the version of the protocol
     */
    byte[] walk(Call call, int version) {
        ReplyBuffer bytes = new ReplyBuffer();
        ReplyEncoder reply = new ReplyEncoder(bytes);
        reply.setVersion(version);
        new LocalDatabase(shared).run(new Call(call.command(), call.handler(), call.request(), call.database(), reply));
        return bytes.toByteArray();
    }

    /** Replies with a dump, for a call that has met a long stream. */
    void reply(Call call, byte[] dump) {
        call.reply().bulk(dump);
        execution.countLookUps();
    }

    /**
     * Runs a read without a lock. If a change of several steps overlapped it, the read runs again with the locks of its slots.
     */
    private void runIsolated(Call call) {
        call.reply().mark();
        long begun = shared.changes.begunIfNoneOpenAcquire();
        if (begun != OpenChanges.OPEN) {
            run(call, false);
            if (shared.changes.hasNoneBegunSinceLoads(begun)) {
                execution.countLookUps();
                return;
            }
            call.reply().reset();
        }
        if (call.command().keys().equals(KeyPositions.NONE)) {
            runWithLocks(call);
        } else {
            runWithLock(call);
        }
    }

    private void runWithLock(Call call) {
        Bytes key = Bytes.of(call.request(), call.command().keys().first());
        ReentrantLock lock = shared.locks.of(key);
        lock.lock();
        try {
            if (call.command().is(CommandFlag.WRITE) && isInSteps(call, key)) {
                runInSteps(() -> runAlone(call));
            } else {
                runAlone(call);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a command of one key changes more than one record of a map, or more than a stream. */
    private boolean isInSteps(Call call, Bytes key) {
        Command command = call.command();
        return command.name().equals("move")
                || command.name().equals("restore")
                || (shared.stores.store(call.database()).holdsStream(key)
                        && !command.categories().contains(CommandCategory.STREAM));
    }

    private void runWithLocks(Call call) {
        BitSet needed = call.command().keys().equals(KeyPositions.NONE) ? SlotLocks.all() : SlotLocks.of(call);
        shared.locks.lock(needed);
        try {
            if (call.command().is(CommandFlag.WRITE)) {
                runInSteps(() -> runAlone(call));
            } else {
                runAlone(call);
            }
        } finally {
            shared.locks.unlock(needed);
        }
    }

    /** Runs a command outside a transaction, and serves the clients that have waited for what it has changed. */
    private void runAlone(Call call) {
        Wait wait = null;
        try {
            run(call, call.client() != null);
            execution.countLookUps();
            wait = execution.takeWait();
        } finally {
            if (wait == null) {
                shared.waiters.serve(execution, shared.stores, shared.always);
            }
        }
        if (wait != null) {
            shared.waiters.add(call, wait);
        }
    }

    @Override
    public boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
        boolean all = calls.stream().anyMatch(LocalDatabase::writesAnywhere);
        BitSet needed = all ? SlotLocks.all() : SlotLocks.of(calls);
        if (!all) {
            watched.forEach(key -> SlotLocks.add(key.key(), needed));
        }
        boolean writes = calls.stream().anyMatch(call -> call.command().is(CommandFlag.WRITE));
        shared.locks.lock(needed);
        try (CommandClock.@Nullable Held _ = shared.stores.store(0).holdTime()) {
            if (!watched.stream().allMatch(this::isUnchanged)) {
                reply.nilArray();
                return false;
            }
            if (writes) {
                runInSteps(body);
            } else {
                body.run();
            }
        } finally {
            try {
                shared.waiters.serve(execution, shared.stores, shared.always);
            } finally {
                shared.locks.unlock(needed);
            }
        }
        return shared.always && writes;
    }

    private void runInSteps(Runnable body) {
        shared.changes.beginVolatile();
        try {
            body.run();
        } finally {
            shared.changes.endVolatile();
        }
    }

    private static boolean writesAnywhere(Call call) {
        return call.command().is(CommandFlag.WRITE) && call.command().keys().equals(KeyPositions.NONE);
    }

    private boolean isUnchanged(Watched before) {
        return !before.watch().isTouched() && state(before.database(), before.key()) == before.state();
    }

    private long state(int database, Bytes key) {
        return shared.stores.store(database).watchedState(key, execution.value());
    }

    @Override
    public MemoryState keepWithinMemory() {
        return shared.limit.keepWithin();
    }

    @Override
    public Watched watch(int database, Bytes key) {
        ReentrantLock lock = shared.locks.of(key);
        lock.lock();
        try {
            KeyWatch watch = shared.watched.watch(database, key);
            try {
                return new Watched(database, key, state(database, key), watch);
            } catch (RuntimeException | Error e) {
                watch.close();
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void runWithin(Call call) {
        run(call, false);
        execution.countLookUps();
    }

    private void run(Call call, boolean mayWait) {
        Store store = shared.stores.store(call.database());
        try (CommandClock.@Nullable Held _ = store.holdTime()) {
            execution.begin(call.request(), store, call.reply());
            call.handler().run(mayWait ? execution.waiting(false) : execution);
        } catch (ReplyException e) {
            call.reply().error(e.line());
        } catch (WrongTypeException e) {
            call.reply().error(WrongTypeException.LINE);
        } finally {
            execution.end();
        }
    }

    @Override
    public void patiently(Runnable commands) {
        commands.run();
    }

    @Override
    public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
        throw new IllegalStateException("it was ready", met);
    }

    @Override
    public void commit(Commit done) {
        shared.commits.await(done);
    }
}
