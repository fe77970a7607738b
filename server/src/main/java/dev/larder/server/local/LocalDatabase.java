package dev.larder.server.local;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.KeyPositions;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.Execution;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.Wait;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.WrongTypeException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs commands on the stores of this node, in the thread of the caller.
 *
 * <pre>
 *                     locks
 * read of one key     none: the map's reads take none, and see one state of the key
 * read of more        all of their slots, so that no change comes between
 * write               its slots; one that names no keys takes all
 * transaction         all of its slots, and those that are watched
 * </pre>
 */
public final class LocalDatabase implements Database {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** What the loops of a node share. */
    public static final class Shared implements AutoCloseable {

        private final LocalStores stores;
        private final SlotLocks locks = new SlotLocks();
        private final GroupCommit commits;
        private final Waiters waiters = new Waiters();
        private volatile boolean always;
        private final ActiveExpiry expiry;
        private final Preparations preparations = new Preparations();

        /** Commands on some stores; each change is acknowledged after a sync, or at once. */
        public Shared(LocalStores stores, boolean always) {
            this.stores = stores;
            this.always = always;
            this.commits = new GroupCommit(stores::sync);
            stores.waiters(waiters);
            this.expiry = new ActiveExpiry(stores, locks);
        }

        /** Returns the database for one event loop, which never stands still. */
        public Database forLoop() {
            return new ReadyDatabase(new LocalDatabase(this), stores, preparations);
        }

        /** Returns how many clients wait for keys to change. */
        public int waiting() {
            return waiters.count();
        }

        /** Ends the waits of all clients that wait for keys to change, with an error. */
        public void endWaits(String error) {
            waiters.endAll(error);
        }

        /** Has changes from now on acknowledged after a sync, or at once. */
        public void setAlways(boolean each) {
            always = each;
        }

        /** Syncs soon, in the thread of the group commit. */
        public void syncSoon() {
            commits.await(error -> {
                if (error != null) {
                    LOGGER.log(System.Logger.Level.ERROR, "a sync failed: " + error, error);
                }
            });
        }

        @Override
        public void close() {
            expiry.close();
            preparations.close();
            commits.close();
        }
    }

    private final Shared shared;
    private final Execution execution;

    /** The database for one event loop. */
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
        if (one && writes) {
            ReentrantLock lock = shared.locks.of(Bytes.of(call.request(), keys.first()));
            lock.lock();
            try {
                runAlone(call);
            } finally {
                lock.unlock();
            }
        } else if (one || (!writes && keys.equals(KeyPositions.NONE))) {
            runWithin(call);
        } else {
            BitSet needed = keys.equals(KeyPositions.NONE) ? SlotLocks.all() : SlotLocks.of(call);
            shared.locks.lock(needed);
            try {
                runAlone(call);
            } finally {
                shared.locks.unlock(needed);
            }
        }
        return writes && shared.always;
    }

    /** Runs a command that is no part of a transaction, and those that have waited for what it has changed. */
    private void runAlone(Call call) {
        Wait wait = null;
        try {
            run(call, call.client() != null);
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
    public boolean transact(List<Call> calls, List<Watched> watched, ReplyEncoder reply, Runnable body) {
        boolean all = calls.stream().anyMatch(LocalDatabase::writesAnywhere);
        BitSet needed = all ? SlotLocks.all() : SlotLocks.of(calls);
        if (!all) {
            watched.forEach(key -> SlotLocks.add(key.key(), needed));
        }
        shared.locks.lock(needed);
        try {
            if (!watched.stream().allMatch(this::isUnchanged)) {
                reply.nilArray();
                return false;
            }
            body.run();
        } finally {
            shared.waiters.serve(execution, shared.stores, shared.always);
            shared.locks.unlock(needed);
        }
        return shared.always && calls.stream().anyMatch(call -> call.command().is(CommandFlag.WRITE));
    }

    private static boolean writesAnywhere(Call call) {
        return call.command().is(CommandFlag.WRITE) && call.command().keys().equals(KeyPositions.NONE);
    }

    private boolean isUnchanged(Watched before) {
        return watch(before.database(), before.key()).state() == before.state();
    }

    @Override
    public Watched watch(int database, Bytes key) {
        return new Watched(database, key, shared.stores.store(database).state(key, execution.value()));
    }

    @Override
    public void runWithin(Call call) {
        run(call, false);
    }

    private void run(Call call, boolean mayWait) {
        Store store = shared.stores.store(call.database());
        if (call.command().is(CommandFlag.READONLY) && store.hears(KeyEvent.KEYMISS)) {
            tellMisses(call, store);
        }
        try {
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

    private static void tellMisses(Call call, Store store) {
        call.command().keys().forEach(call.request(), argument -> {
            Bytes key = Bytes.of(call.request(), argument);
            if (!store.exists(key)) {
                store.tell(key, KeyEvent.KEYMISS);
            }
        });
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
