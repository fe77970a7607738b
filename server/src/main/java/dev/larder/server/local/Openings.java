package dev.larder.server.local;

import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Execution;
import dev.larder.server.command.NewStream;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds what a command would make or open that takes long, so that another thread than the event loop does it before.
 *
 * <pre>
 * any command                       the client's database, on its first use
 * COPY ... DB n, MOVE, SWAPDB       those that are named, too
 * SWAPDB                            the file that tells which folders they are
 * XADD, XGROUP CREATE               the queue of a new stream, and the maps of the database's streams, on their first use
 * COPY, MOVE, RESTORE of a stream   the same, within a transaction; else another thread fills the stream, too
 * </pre>
 */
final class Openings {

    /** Commands that add streams without entries of others. */
    private static final Set<String> ADD_STREAMS = Set.of("xadd", "xgroup|create");

    /** Commands that write a stream as a whole. */
    static final Set<String> WRITE_STREAMS = Set.of("copy", "move", "restore");

    private static final String SWAP = "swapdb";

    private final LocalStores stores;
    private final Execution execution;

    Openings(LocalStores stores) {
        this.stores = stores;
        this.execution = new Execution(stores, new ReplyEncoder(new ReplyBuffer()));
    }

    /**
     * Fails if a command would make or open something.
     *
     * @throws NotReadyException which makes or opens it
     * @throws dev.larder.log.NotInMemoryException if this thread would have to wait for the disk to find that out
     */
    void require(Call call) {
        requireDatabases(call);
        if (call.command().name().equals(SWAP)) {
            requireExchange(call.request());
        }
        if (ADD_STREAMS.contains(call.command().name())) {
            requireStream(call);
        }
    }

    /**
     * Fails if the commands of a transaction would open databases.
     *
     * @throws NotReadyException which opens one
     */
    void requireDatabases(List<Call> calls) {
        calls.forEach(this::requireDatabases);
        calls.stream()
                .filter(call -> call.command().name().equals(SWAP))
                .findFirst() // another exchange depends on the first
                .ifPresent(call -> requireExchange(call.request()));
    }

    private void requireDatabases(Call call) {
        require(call.database());
        Request request = call.request();
        switch (call.command().name()) {
            case "copy" -> requireOption(request);
            case "move" -> requireNamed(request, 2);
            case SWAP -> {
                requireNamed(request, 1);
                requireNamed(request, 2);
            }
            default -> {
                return; // it uses the client's database alone
            }
        }
    }

    /**
     * Fails if the commands of a transaction would make streams. Their databases are open.
     *
     * @throws NotReadyException which makes them
     * @throws dev.larder.log.NotInMemoryException if this thread would have to wait for the disk to find that out
     */
    void requireStreams(List<Call> calls) {
        if (calls.stream().anyMatch(Openings::mayMakeStream)) {
            NewStreams made = new NewStreams();
            calls.forEach(call -> lookAt(call, made));
            requireReady(made);
        }
    }

    private static boolean mayMakeStream(Call call) {
        String command = call.command().name();
        return ADD_STREAMS.contains(command) || WRITE_STREAMS.contains(command);
    }

    /** Fails if a database is not open yet. */
    void require(int database) {
        if (!stores.isOpen(database)) {
            throw new NotReadyException(() -> stores.store(database), true);
        }
    }

    private void requireExchange(Request request) {
        if (isDatabase(request, 1) && isDatabase(request, 2)) {
            int one = (int) request.integer(1);
            int other = (int) request.integer(2);
            if (one != other && !stores.folders().isReady(one, other)) {
                throw new NotReadyException(() -> stores.folders().makeReady(one, other), true);
            }
        }
    }

    private void requireOption(Request request) {
        for (int i = 3; i + 1 < request.count(); i++) {
            if (request.is(i, "db")) {
                requireNamed(request, i + 1);
            }
        }
    }

    private void requireNamed(Request request, int argument) {
        if (isDatabase(request, argument)) {
            require((int) request.integer(argument));
        }
    }

    /** Returns whether an argument is the number of a database; else the command is an error. */
    private boolean isDatabase(Request request, int argument) {
        return argument < request.count()
                && request.isInteger(argument)
                && request.integer(argument) >= 0
                && request.integer(argument) < stores.count();
    }

    /** Fails if a command would make a stream whose queue, or whose database's maps of streams, are not made yet. */
    private void requireStream(Call call) {
        Store store = stores.store(call.database());
        if (isReady(store, 1)) {
            return; // whatever it does
        }
        NewStreams made = new NewStreams();
        lookAt(call, made);
        requireReady(made);
    }

    private static boolean isReady(Store store, int count) {
        return store.waits().hasStreams() && store.streams().areReady(count);
    }

    private void lookAt(Call call, NewStreams made) {
        Store store = stores.store(call.database());
        store.waits().withoutReading(() -> {
            execution.begin(call.request(), store, execution.reply());
            made.add(call, store, NewStream.of(call.command().name(), execution));
            return true;
        });
    }

    private static void requireReady(NewStreams made) {
        Map<Store, Integer> missing = new HashMap<>(made.counts());
        missing.entrySet().removeIf(one -> isReady(one.getKey(), one.getValue()));
        if (!missing.isEmpty()) {
            throw new NotReadyException(
                    () -> missing.forEach((store, count) -> store.streams().makeReady(count)), true);
        }
    }
}
