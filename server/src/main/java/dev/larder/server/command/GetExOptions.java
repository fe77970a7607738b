package dev.larder.server.command;

import dev.larder.server.store.Store;
import org.jspecify.annotations.Nullable;

/** The options of {@code GETEX}: nothing, an expiry, or {@code PERSIST}. */
record GetExOptions(boolean changes, long deadline) {

    static GetExOptions parse(Execution execution) {
        int count = execution.count();
        if (count == 2) {
            return new GetExOptions(false, Store.ENDLESS);
        }
        if (count == 3 && execution.is(2, "persist")) {
            return new GetExOptions(true, Store.ENDLESS);
        }
        Expiry.@Nullable Unit unit = SetOptions.unit(execution, 2);
        if (count != 4 || unit == null) {
            throw ReplyException.syntax();
        }
        return new GetExOptions(true, Expiry.positive(execution, 3, unit, "getex"));
    }
}
