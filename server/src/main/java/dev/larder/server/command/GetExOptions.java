package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Store;
import org.jspecify.annotations.Nullable;

/** The options of {@code GETEX}: nothing, an expiry, or {@code PERSIST}. */
record GetExOptions(boolean persists, Expiry.@Nullable Unit unit, int argument) {

    /** Reads the options. The same one may be given again, and the last counts. */
    static GetExOptions parse(Execution execution) {
        boolean persist = false;
        Expiry.@Nullable Unit unit = null;
        int at = 0;
        for (int i = 2; i < execution.count(); i++) {
            Expiry.@Nullable Unit found = SetOptions.unit(execution, i);
            if (execution.is(i, "persist") && unit == null) {
                persist = true;
            } else if (found != null && !persist && (unit == null || unit == found) && i + 1 < execution.count()) {
                unit = found;
                at = ++i;
            } else {
                throw ReplyException.syntax();
            }
        }
        return new GetExOptions(persist, unit, at);
    }

    boolean changes() {
        return persists || unit != null;
    }

    /** Returns the requested deadline. A missing key needs no valid one. */
    long deadline(Execution execution) {
        return unit == null ? Store.ENDLESS : Expiry.positive(execution, argument, unit, "getex");
    }
}
