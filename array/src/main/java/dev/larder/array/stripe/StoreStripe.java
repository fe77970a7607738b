package dev.larder.array.stripe;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.entry.WatchedKey;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.CorruptException;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Database;
import dev.larder.server.command.Handler;
import dev.larder.server.local.LocalDatabase;
import dev.larder.server.local.LocalStores;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stripe on a store: entries are commands of clients, run in their order at the entry's time.
 *
 * <p>An effect comes once, though the process may be killed at any instruction and the system lose power. The store's log keeps
 * changes in the order in which they were made, and what survives of it is a beginning. So:
 *
 * <pre>
 * mark c | change of command c | mark d | change of command d | ...       c, d: commands whose effect depends on the keys
 *        ^ killed here: the keys are as the mark says, so c is run
 *                              ^ here: they are not, so c is done
 * </pre>
 *
 * What is ahead of the last mark is done, and skipped. What comes behind command c has a fixed effect, whatever the keys hold: it
 * is run again in its order, which leads to the same state.
 */
public final class StoreStripe implements StripeState, AutoCloseable {

    private static final int DATABASE = 0;
    private static final byte[] NO_REPLY = {};

    private final LocalStores stores;
    private final LocalDatabase.Shared shared;
    private final Database database;
    private final Store store;
    private final StripeClock clock;
    private final AppliedIndex appliedIndex = new AppliedIndex();
    private final Runnable roleChange;
    private final Consumer<Throwable> failure;
    private final RequestParser parser = new RequestParser(RequestLimits.defaults());

    /** What survived of the last process, until its entry has been applied; then null. */
    private @Nullable Mark survived;

    private Place applied;
    private long appliedMillis;
    private volatile Place durable;

    private StoreStripe(LocalStores stores, StripeClock clock, Runnable roleChange, Consumer<Throwable> failure) {
        this.stores = stores;
        this.clock = clock;
        this.roleChange = roleChange;
        this.failure = failure;
        this.store = stores.store(DATABASE);
        this.shared = new LocalDatabase.Shared(stores, false);
        this.database = new LocalDatabase(shared);
        byte[] note = store.note();
        Mark mark = note == null ? Mark.START : Mark.decode(note);
        this.survived = mark.command() == Mark.NO_COMMAND ? null : mark;
        this.applied = mark.applied();
        this.appliedMillis = mark.clockMillis();
        clock.beginEntry(mark.clockMillis());
        store.sync(); // what survived a kill need not survive a loss of power yet
        this.durable = mark.applied();
        appliedIndex.reached(mark.applied().index());
    }

    /**
     * Opens the stripe in a folder, and makes it if there is none.
     *
     * @param system the time of reads
     * @param roleChange hears that another member leads
     * @param failure hears that this member has stopped
     */
    public static StoreStripe open(
            Path directory, long segmentBytes, InstantSource system, Runnable roleChange, Consumer<Throwable> failure) {
        StripeClock clock = new StripeClock(system);
        StoreOptions options = StoreOptions.defaults()
                .withSync(SyncPolicy.none())
                .withSegmentBytes(segmentBytes)
                .withClock(clock)
                .withKept(true);
        LocalStores stores = LocalStores.open(directory, DATABASE + 1, options);
        try {
            return new StoreStripe(stores, clock, roleChange, failure);
        } catch (RuntimeException | Error e) {
            stores.close();
            throw e;
        }
    }

    /** Returns the stores, for a server to read. */
    public LocalStores stores() {
        return stores;
    }

    /** Returns the way to the stores, for a server's reads. */
    public LocalDatabase.Shared shared() {
        return shared;
    }

    /** Returns the stripe's time. */
    public StripeClock clock() {
        return clock;
    }

    /** Returns up to which index the log is applied. */
    public AppliedIndex appliedIndex() {
        return appliedIndex;
    }

    @Override
    public ByteBuffer apply(Place place, ByteBuffer bytes) {
        if (place.index() <= applied.index()) {
            return new Replies(List.of()).encode(); // its effects have survived
        }
        Entry entry = Entry.decode(bytes);
        clock.beginEntry(entry.clockMillis());
        Replies replies = new Application(survived).run(entry);
        survived = null;
        applied = place;
        appliedMillis = entry.clockMillis();
        return replies.encode();
    }

    @Override
    public void reached(long index) {
        appliedIndex.reached(index);
    }

    @Override
    public Place durable() {
        return durable;
    }

    @Override
    public void sync() {
        if (survived == null) { // else its entry is to come, and the mark tells how far that was done
            Place now = applied;
            store.keepNote(Mark.done(now, appliedMillis).encode());
            stores.sync();
            durable = now;
        }
    }

    @Override
    public void roleChanged() {
        roleChange.run();
    }

    @Override
    public void failed(Throwable cause) {
        failure.accept(cause);
    }

    private Request parse(EntryCall call) {
        Request request = new Request();
        try {
            if (parser.parse(ByteBuffer.wrap(call.request()), request)) {
                return request;
            }
        } catch (ProtocolException e) {
            throw new CorruptException("a command of an entry is no request: " + e.reply());
        }
        throw new CorruptException("a command of an entry is cut off");
    }

    private static Command command(Request request) {
        CommandTable table = CommandTable.standard();
        Command command = table.find(request);
        if (command != null && !command.subcommands().isEmpty()) {
            command = table.findSubcommand(command, request);
        }
        if (command == null) {
            throw new CorruptException("this node knows no command '" + request.text(0) + "', and an entry holds one");
        }
        return command;
    }

    /** Returns what the keys of a command hold, as numbers. */
    private long[] states(Command command, Request request) {
        List<Long> states = new ArrayList<>();
        command.keys()
                .forEach(
                        request,
                        argument -> states.add(database.watch(DATABASE, Bytes.of(request, argument))
                                .state()));
        return states.stream().mapToLong(Long::longValue).toArray();
    }

    /** An entry that is applied. */
    private final class Application {

        /** What is done of the entry; null if nothing. */
        private final @Nullable Mark done;

        /** The number of the next command; a transaction takes one as well, ahead of its commands. */
        private int next;

        Application(@Nullable Mark done) {
            this.done = done;
        }

        Replies run(Entry entry) {
            List<Optional<List<byte[]>>> replies = new ArrayList<>();
            for (Operation operation : entry.operations()) {
                replies.add(
                        operation.isTransaction()
                                ? transact(operation)
                                : Optional.of(List.of(call(operation.calls().getFirst(), database::run))));
            }
            return new Replies(replies);
        }

        private boolean isDone(int number) {
            return done != null && number < done.command();
        }

        /** Returns what the keys held before the command that may be done in part; null if it is another one. */
        private long @Nullable [] begun(int number) {
            return done != null && number == done.command() ? done.before() : null;
        }

        private void mark(int number, long @Nullable [] before) {
            store.keepNote(new Mark(applied, appliedMillis, number, before).encode());
        }

        private Optional<List<byte[]>> transact(Operation operation) {
            int number = next++;
            if (!begins(operation, number)) {
                next += operation.calls().size();
                mark(next, null); // what follows may change the keys on which that depends
                return Optional.empty();
            }
            List<byte[]> replies = new ArrayList<>();
            List<Call> calls = operation.calls().stream()
                    .map(call -> toCall(parse(call), new ReplyEncoder(new ReplyBuffer())))
                    .toList();
            ReplyEncoder nowhere = new ReplyEncoder(new ReplyBuffer());
            database.transact(calls, List.of(), nowhere, () -> {
                for (EntryCall call : operation.calls()) {
                    replies.add(call(call, database::runWithin));
                }
            });
            return Optional.of(replies);
        }

        /** Returns whether a transaction's commands are run. Once that is decided, and one may be done, it holds. */
        private boolean begins(Operation operation, int number) {
            if (operation.watched().isEmpty() || isDone(number) || begun(number) != null) {
                return true; // where it was not to begin, its commands are skipped: they lie ahead of the mark
            }
            boolean isUnchanged = operation.watched().stream().allMatch(this::isUnchanged);
            if (isUnchanged) {
                mark(number, new long[0]);
            }
            return isUnchanged;
        }

        private boolean isUnchanged(WatchedKey key) {
            return database.watch(DATABASE, Bytes.of(key.key())).state() == key.state();
        }

        private byte[] call(EntryCall call, Consumer<Call> run) {
            int number = next++;
            if (isDone(number)) {
                return NO_REPLY;
            }
            Request request = parse(call);
            ReplyBuffer buffer = new ReplyBuffer();
            ReplyEncoder reply = new ReplyEncoder(buffer);
            reply.setVersion(call.replyVersion());
            Call wanted = toCall(request, reply);
            Effect effect = Effect.of(wanted.command(), request);
            if (effect.dependsOnKeys()) {
                long[] states = states(wanted.command(), request);
                long[] before = begun(number);
                if (before != null) {
                    finish(effect, before, states, wanted, run);
                    return NO_REPLY;
                }
                mark(number, states);
            }
            run.accept(wanted);
            return buffer.toByteArray();
        }

        /** Does the rest of a command that may have been done, in whole or in part. */
        private void finish(Effect effect, long[] before, long[] states, Call call, Consumer<Call> run) {
            boolean untouched = Arrays.equals(before, states);
            switch (effect) {
                case NONE, FIXED, ONE_CHANGE -> {
                    if (untouched) {
                        run.accept(call);
                    }
                }
                case SET_ALL_OR_NONE -> {
                    if (Arrays.stream(before).allMatch(state -> state == 0)) {
                        run.accept(as(call, "MSET"));
                    }
                }
                case MOVE -> {
                    if (states[0] == before[0]) {
                        run.accept(call);
                    }
                }
                case MOVE_IF_ABSENT -> {
                    if (states[0] == before[0] && before[1] == 0) {
                        run.accept(as(call, "RENAME"));
                    }
                }
            }
        }

        private Call as(Call call, String name) {
            List<byte[]> arguments = new ArrayList<>();
            arguments.add(name.getBytes(StandardCharsets.US_ASCII));
            for (int i = 1; i < call.request().count(); i++) {
                arguments.add(call.request().bytes(i));
            }
            return toCall(Request.of(arguments), call.reply());
        }

        private Call toCall(Request request, ReplyEncoder reply) {
            Command command = command(request);
            Handler handler = Commands.handler(command);
            if (handler == null) {
                throw new CorruptException(
                        "an entry holds '" + command.name() + "', which is not about keys, or unknown to this node");
            }
            return new Call(command, handler, request, DATABASE, reply);
        }
    }

    @Override
    public void close() {
        try (stores) {
            shared.close();
            stores.sync();
        }
    }
}
