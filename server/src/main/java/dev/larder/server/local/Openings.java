package dev.larder.server.local;

import dev.larder.resp.CommandFlag;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;

/**
 * What a command would make or open that takes long: another thread than the event loop does it before.
 *
 * <pre>
 * any command                       the client's database, on its first use
 * COPY ... DB n, MOVE, SWAPDB       those that are named, too
 * XADD, XGROUP CREATE, XTRIM        the maps of the database's streams, on their first use
 * XADD, XGROUP CREATE               the queue of a new stream
 * </pre>
 */
final class Openings {

    private final LocalStores stores;

    Openings(LocalStores stores) {
        this.stores = stores;
    }

    /**
     * Fails if a command would make or open something.
     *
     * @param streams how many commands before it in a transaction make a stream
     * @return the same, and 1 if this one does
     * @throws NotReadyException which does it
     * @throws dev.larder.log.NotInMemoryException if this thread would have to wait for the disk to find that out
     */
    int require(Call call, int streams) {
        require(call.database());
        Request request = call.request();
        if (call.command().is(CommandFlag.WRITE)) {
            switch (call.command().name()) {
                case "copy" -> requireOption(request);
                case "move" -> requireNamed(request, 2);
                case "swapdb" -> {
                    requireNamed(request, 1);
                    requireNamed(request, 2);
                }
                case "xadd", "xgroup|create" -> {
                    return requireStream(call, streams);
                }
                case "xtrim" -> requireStreams(stores.store(call.database()));
                default -> {
                    return streams; // it uses the client's database alone
                }
            }
        }
        return streams;
    }

    /** Fails if a database is not open yet. */
    void require(int database) {
        if (!stores.isOpen(database)) {
            throw new NotReadyException(() -> stores.store(database), true);
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
        if (argument < request.count() && request.isInteger(argument)) {
            long index = request.integer(argument);
            if (index >= 0 && index < stores.count()) { // else the command is an error
                require((int) index);
            }
        }
    }

    private static void requireStreams(Store store) {
        if (!store.waits().hasStreams()) {
            throw new NotReadyException(store::streams, true);
        }
    }

    private int requireStream(Call call, int streams) {
        Store store = stores.store(call.database());
        requireStreams(store);
        int needed = streams + 1;
        if (store.streams().areReady(needed)) {
            return needed; // or fewer
        }
        Bytes key = Bytes.of(call.request(), call.command().keys().first());
        if (store.waits().withoutReading(() -> store.holdsStream(key))) {
            return streams;
        }
        throw new NotReadyException(() -> store.streams().makeReady(needed), true);
    }
}
