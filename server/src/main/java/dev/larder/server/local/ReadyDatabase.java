package dev.larder.server.local;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.NoRoomYetException;
import dev.larder.memory.DiskFullException;
import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.KeyPositions;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.StreamLooks;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.dump.LongDump;
import dev.larder.server.dump.LongDumpException;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamNotInMemoryException;
import dev.larder.server.stream.StreamNotMadeException;
import dev.larder.server.stream.UnnamedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database of an event loop, which never blocks. A command that would wait for the disk or for room is refused before it
 * has changed or written anything. It is run again when another thread has waited.
 *
 * <pre>
 *                          records in memory                         room
 * read of keys             found out by the read itself              -
 * write of one key         asked first, while pages are missing      found out by the write itself
 * more keys, transaction   asked first, while pages are missing      asked first
 * walk over keys           found out by the walk itself              -
 * </pre>
 *
 * <p>The records are those of the keys, and of what commands read and change of streams ({@link StreamReads}).
 * {@link Openings} handles what is opened on its first use.
 *
 * <p>Another thread makes the dump of a long stream as well, and the reply to a walk that meets a record on the disk.
 *
 * <p>Three cases are not checked, and wait in the loop: the first page that leaves memory, a change of several keys that fills
 * a segment, and a walk over keys within a transaction. {@code MOVE} and a change of a key's type sync in the loop, too.
 */
public final class ReadyDatabase implements Database {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final String DUMP = "dump";
    private static final String FULL = "OOM command not allowed when the files take 'max-file-size'.";

    private final LocalDatabase inner;
    private final LocalStores stores;
    private final Preparations preparations;
    private final StreamReads streams;
    private final Openings openings;
    private final ValueBuffer watchedValue = new ValueBuffer();
    private boolean patient;

    /** The running call, for the objects below, which are not created anew for each call. */
    private @Nullable Call running;

    private final Supplier<Boolean> run = this::runRunning;

    /** Creates the database for one event loop, on the database that runs the commands. */
    public ReadyDatabase(LocalDatabase inner, LocalStores stores, Preparations preparations) {
        this.inner = inner;
        this.stores = stores;
        this.preparations = preparations;
        this.streams = new StreamReads(stores);
        this.openings = new Openings(stores);
    }

    @Override
    public boolean run(Call call) {
        int before = call.reply().output().sizeBytes();
        try {
            return patient ? runPatiently(call) : runReady(call);
        } catch (DiskFullException e) {
            refuse(call, before, e);
            return false;
        }
    }

    /** Makes an error the whole reply: XREADGROUP may have replied with entries that it could not give. */
    private void refuse(Call call, int sizeBefore, DiskFullException error) {
        call.reply().output().truncate(sizeBefore);
        call.reply().error(full(stores.store(call.database()), error));
    }

    private boolean runReady(Call call) {
        openings.require(call.database());
        Command command = call.command();
        KeyPositions keys = command.keys();
        Store store = stores.store(call.database());
        boolean one = keys.first() > 0 && keys.first() == keys.last();
        boolean writes = command.is(CommandFlag.WRITE);
        if (!writes && !keys.equals(KeyPositions.NONE)) {
            return read(call, store);
        }
        try {
            openings.require(call);
            requireInMemory(store, call);
            boolean makes = Openings.WRITE_STREAMS.contains(command.name());
            if (one && writes && !makes) {
                running = call;
                return store.waits().withoutWaiting(run);
            }
            if (!writes && LocalDatabase.WALKS.contains(command.name())) {
                return walk(call, store);
            }
            if (command.is(CommandFlag.DENYOOM)) {
                requireRoom(store);
            }
            return makes ? runWithStream(call, true) : inner.run(call);
        } catch (NotInMemoryException e) {
            throw notInMemory(call);
        } catch (NoRoomYetException e) {
            throw noRoom(store, !command.is(CommandFlag.DENYOOM));
        }
    }

    private boolean runPatiently(Call call) {
        return Openings.WRITE_STREAMS.contains(call.command().name()) ? runWithStream(call, false) : inner.run(call);
    }

    /** Runs a command that may give a name to a stream which another thread has filled. */
    private boolean runWithStream(Call call, boolean orNotAtAll) {
        WaitingClient client = call.client();
        if (client == null) {
            return inner.run(call);
        }
        UnnamedStream ready = client.takeKept();
        UnnamedStream goesOn = null;
        inner.madeStream(ready, orNotAtAll);
        try {
            return inner.run(call);
        } catch (StreamNotMadeException e) {
            goesOn = e.stream();
            client.keep(goesOn);
            throw new NotReadyException(goesOn::make, true);
        } finally {
            inner.madeStream(null, false);
            if (ready != null && !ready.equals(goesOn)) {
                ready.close();
            }
        }
    }

    private boolean read(Call call, Store store) {
        running = call;
        call.reply().mark();
        try {
            return store.waits().withoutReading(run);
        } catch (NotInMemoryException e) {
            boolean dumps = call.client() != null && call.command().name().equals(DUMP);
            if (dumps && e instanceof StreamNotInMemoryException) {
                return dump(call);
            }
            call.reply().reset(); // the reply may hold the first entries of a stream
            throw notInMemory(call);
        } catch (LongDumpException e) {
            return dump(call);
        }
    }

    /** Replies with a dump that another thread has made, of a stream that is long or not in memory. */
    private boolean dump(Call call) {
        call.reply().reset();
        WaitingClient client = call.client();
        if (client == null) {
            return inner.run(call);
        }
        LongDump ready = client.takeDump();
        byte @Nullable [] made = ready == null ? null : ready.made();
        if (made == null) {
            LongDump dump = new LongDump();
            client.keep(dump);
            Call kept = copy(call);
            throw new NotReadyException(() -> inner.make(dump, kept), true);
        }
        inner.reply(call, made);
        return false;
    }

    /**
     * Walks over keys. If a record is not in memory, another thread walks, and its reply is the command's. A second walk in the
     * loop need not succeed: a random walk meets other records, and the memory may be smaller than the keys.
     */
    private boolean walk(Call call, Store store) {
        WaitingClient client = call.client();
        if (client == null) {
            return inner.run(call);
        }
        byte @Nullable [] made = client.takeReply();
        if (made != null) {
            call.reply().output().write(made, 0, made.length);
            return false;
        }
        running = call;
        call.reply().mark();
        try {
            return store.waits().withoutReading(run);
        } catch (NotInMemoryException e) {
            call.reply().reset();
            Call kept = copy(call);
            int version = call.reply().version();
            throw new NotReadyException(() -> client.keepReply(inner.walk(kept, version)), true);
        }
    }

    private NotReadyException notInMemory(Call call) {
        Call kept = copy(call);
        return new NotReadyException(() -> bringIn(kept), true);
    }

    private boolean runRunning() {
        return inner.run(Objects.requireNonNull(running));
    }

    private static NotReadyException noRoom(Store store, boolean removal) {
        return new NotReadyException(() -> awaitRoom(store, removal), false);
    }

    private static void awaitRoom(Store store, boolean removal) {
        try {
            store.waits().awaitRoom(removal);
        } catch (DiskFullException e) {
            throw new ReplyException(full(store, e));
        }
    }

    private static void requireRoom(Store store) {
        store.waits().withoutWaiting(() -> {
            store.waits().awaitRoom(false);
            return true;
        });
    }

    /** Reads all keys of a call, and its streams, if parts of the store may not be in memory. */
    private void requireInMemory(Store store, Call call) {
        boolean keys = store.waits().arePagesMissing();
        boolean entries = store.waits().hasStreams()
                && StreamLooks.of(call) != null
                && (StreamLooks.isNeeded(call.command()) || store.waits().mayStreamsWait());
        if (keys || entries) {
            store.waits().withoutReading(() -> {
                if (keys) {
                    bringIn(store, call);
                }
                if (entries) {
                    streams.look(call);
                }
                return true;
            });
        }
    }

    private static void bringIn(Store store, Call call) {
        call.command().keys().forEach(call.request(), key -> store.waits().bringIn(Bytes.of(call.request(), key)));
    }

    private void bringIn(Call call) {
        bringIn(stores.store(call.database()), call);
        StreamReads.bringIn(stores, call);
    }

    private static Call copy(Call call) {
        return new Call(call.command(), call.handler(), call.request().copy(), call.database(), call.reply());
    }

    @Override
    public boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
        if (!patient) {
            openings.requireDatabases(calls);
            if (areReady(calls)) {
                requireStreams(calls);
            }
            watched.forEach(this::requireReady);
            requireDumps(calls);
        }
        return inner.transact(calls, watched, mayRun, reply, body);
    }

    /** Returns false if the disk is full; each command then reports that itself. */
    private boolean areReady(List<Call> calls) {
        for (Call call : calls) {
            Store store = stores.store(call.database());
            try {
                requireInMemory(store, call);
                if (call.command().is(CommandFlag.DENYOOM)) {
                    requireRoom(store);
                }
            } catch (NotInMemoryException e) {
                throw new NotReadyException(() -> calls.forEach(this::bringIn), true);
            } catch (NoRoomYetException e) {
                throw noRoom(store, false);
            } catch (DiskFullException e) {
                return false;
            }
        }
        return true;
    }

    private void requireStreams(List<Call> calls) {
        try {
            openings.requireStreams(calls);
        } catch (NotInMemoryException e) {
            throw new NotReadyException(() -> calls.forEach(this::bringIn), true);
        }
    }

    /** Fails if a transaction would dump long streams. Another thread dumps them first. */
    private void requireDumps(List<Call> calls) {
        List<Call> missing = calls.stream().filter(this::lacksDump).toList();
        if (missing.isEmpty()) {
            return;
        }
        TransactionDumps dumps =
                Objects.requireNonNull(missing.getFirst().client()).dumps();
        if (dumps.beginRound()) {
            throw new NotReadyException(() -> missing.forEach(call -> make(dumps, call)), true);
        }
    }

    private void make(TransactionDumps dumps, Call call) {
        LongDump dump = dumps.begin();
        inner.make(dump, call);
        dumps.add(dump);
    }

    private boolean lacksDump(Call call) {
        WaitingClient client = call.client();
        if (client == null || !call.command().name().equals(DUMP)) {
            return false;
        }
        Store store = stores.store(call.database());
        try {
            return store.waits().withoutReading(() -> {
                try (@Nullable Stream stream = store.stream(Bytes.of(call.request(), 1))) {
                    return stream != null && client.dumps().lacks(stream);
                } catch (WrongTypeException e) {
                    return false;
                }
            });
        } catch (NotInMemoryException e) {
            return true;
        }
    }

    private void requireReady(Watched key) {
        Store store = stores.store(key.database());
        if (store.waits().arePagesMissing() || store.waits().mayStreamsWait()) {
            try {
                store.waits().withoutReading(() -> store.watchedState(key.key(), watchedValue));
            } catch (NotInMemoryException e) {
                throw new NotReadyException(() -> bringInState(key.database(), key.key()), true);
            }
        }
    }

    /** Reads the state of a watched key, in a thread that may wait. */
    private void bringInState(int database, Bytes key) {
        stores.store(database).watchedState(key, new ValueBuffer());
    }

    @Override
    public void runWithin(Call call) {
        int before = call.reply().output().sizeBytes();
        WaitingClient client = call.client();
        inner.madeDumps(client != null && call.command().name().equals(DUMP) ? client.dumps() : null);
        try {
            inner.runWithin(call);
        } catch (DiskFullException e) {
            refuse(call, before, e);
        } finally {
            inner.madeDumps(null);
        }
    }

    private static String full(Store store, DiskFullException error) {
        return store.isBounded() ? FULL : "MISCONF the disk has no room for writes: " + error.getMessage();
    }

    @Override
    public MemoryState keepWithinMemory() {
        return inner.keepWithinMemory();
    }

    @Override
    public Watched watch(int database, Bytes key) {
        if (patient) {
            return inner.watch(database, key);
        }
        openings.require(database);
        Store store = stores.store(database);
        try {
            return store.waits().withoutReading(() -> inner.watch(database, key));
        } catch (NotInMemoryException e) {
            throw new NotReadyException(() -> bringInState(database, key), true);
        }
    }

    @Override
    public void patiently(Runnable commands) {
        boolean before = patient;
        patient = true;
        try {
            commands.run();
        } finally {
            patient = before;
        }
    }

    @Override
    public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
        List<Runnable> tasks = new ArrayList<>();
        next.forEach(command -> tasks.add(() -> bringIn(command.call())));
        Group group = new Group(1 + tasks.size(), done);
        Executor threads = preparations.threads(met.looksAhead());
        try {
            threads.execute(() -> group.end(errorOf(met.preparation())));
            for (Runnable task : tasks) {
                threads.execute(() -> {
                    errorOf(task); // the command meets it when it runs
                    group.end(null);
                });
            }
        } catch (RejectedExecutionException e) {
            group.stop(new IllegalStateException("the server stops"));
        } catch (RuntimeException | Error e) { // no thread can be started, say
            group.stop(e);
        }
    }

    private static @Nullable Throwable errorOf(Runnable task) {
        try {
            task.run();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Tasks with a common end, which is reported once, with the error of one of them. */
    private static final class Group {

        private final AtomicInteger left;
        private final Commit done;
        private volatile @Nullable Throwable error;

        Group(int tasks, Commit done) {
            this.left = new AtomicInteger(tasks);
            this.done = done;
        }

        void end(@Nullable Throwable met) {
            if (met != null) {
                error = met;
            }
            if (left.decrementAndGet() == 0) {
                try {
                    done.done(error);
                } catch (RejectedExecutionException e) { // the loop has ended, and its sessions with it
                    LOGGER.log(System.Logger.Level.DEBUG, e.getMessage());
                }
            }
        }

        void stop(Throwable met) {
            if (left.getAndSet(0) > 0) {
                done.done(met);
            }
        }
    }

    @Override
    public void commit(Commit done) {
        inner.commit(done);
    }
}
