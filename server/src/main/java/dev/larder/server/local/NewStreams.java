package dev.larder.server.local;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.KeyPositions;
import dev.larder.server.command.Call;
import dev.larder.server.command.NewStream;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the streams that the commands of a transaction make in each store. It may count too many if they remove keys.
 *
 * <pre>
 * XADD a   XADD b   XADD a   DEL a   XADD a       before: b alone
 *   1                                  2
 * </pre>
 */
final class NewStreams {

    /** A key of a store. */
    private record Place(Store store, Bytes key) {}

    private final Map<Store, Integer> counts = new LinkedHashMap<>();

    /** Keys that the commands so far have used, and whether each certainly exists now. */
    private final Map<Place, Boolean> used = new HashMap<>();

    /** Whether a command may have removed keys that it does not name. */
    private boolean removesAny;

    /**
     * Adds the next command.
     *
     * @param store the client's database
     * @param made the stream that it may make; null if none
     */
    void add(Call call, Store store, @Nullable NewStream made) {
        boolean makes = made != null && makes(store, made);
        if (mayRemove(call.command())) {
            removed(call, store);
        }
        if (made != null && makes) {
            counts.merge(made.target(), 1, Integer::sum);
            used.put(new Place(made.target(), made.key()), true);
        }
    }

    private boolean makes(Store store, NewStream made) {
        Bytes source = made.source();
        return (source == null || mayHoldStream(store, source))
                && (made.replaces() || !holdsSomething(store, made.target(), made.key()));
    }

    private boolean mayHoldStream(Store store, Bytes key) {
        return removesAny || used.containsKey(new Place(store, key)) || store.holdsStream(key);
    }

    /** Returns whether a key certainly exists. Only the client's store is read: another store may be cold. */
    private boolean holdsSomething(Store store, Store target, Bytes key) {
        Boolean known = used.get(new Place(target, key));
        return known == null ? !removesAny && target.equals(store) && target.exists(key) : known;
    }

    private static boolean mayRemove(Command command) {
        return command.is(CommandFlag.WRITE) && !command.categories().contains(CommandCategory.STREAM);
    }

    private void removed(Call call, Store store) {
        KeyPositions keys = call.command().keys();
        if (keys.equals(KeyPositions.NONE)) {
            removesAny = true;
            used.clear();
        }
        keys.forEach(call.request(), key -> used.put(new Place(store, Bytes.of(call.request(), key)), false));
    }

    /** Returns how many streams are made in each store that gets any. */
    Map<Store, Integer> counts() {
        return counts;
    }
}
