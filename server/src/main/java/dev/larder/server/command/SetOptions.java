package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code SET}: one condition, one expiry, {@code GET}.
 *
 * @param expires whether a time is given; if it is too far away, the deadline is {@link Store#ENDLESS} nevertheless
 */
record SetOptions(
        boolean onlyIfAbsent,
        boolean onlyIfPresent,
        boolean get,
        boolean keepDeadline,
        boolean expires,
        long deadline) {

    private static final int FIRST = 3;
    private static final SetOptions NONE = new SetOptions(false, false, false, false, false, Store.ENDLESS);

    static SetOptions parse(Execution execution) {
        if (execution.count() == FIRST) {
            return NONE;
        }
        boolean absent = false;
        boolean present = false;
        boolean get = false;
        boolean keep = false;
        Expiry.@Nullable Unit unit = null;
        int at = 0;
        for (int i = FIRST; i < execution.count(); i++) {
            Expiry.@Nullable Unit found = unit(execution, i);
            if (execution.is(i, "nx") && !present) {
                absent = true;
            } else if (execution.is(i, "xx") && !absent) {
                present = true;
            } else if (execution.is(i, "get")) {
                get = true;
            } else if (execution.is(i, "keepttl") && unit == null) {
                keep = true;
            } else if (found != null && !keep && (unit == null || unit == found) && i + 1 < execution.count()) {
                unit = found;
                at = ++i;
            } else {
                throw ReplyException.syntax();
            }
        }
        long deadline = unit == null ? Store.ENDLESS : Expiry.positive(execution, at, unit, "set");
        return new SetOptions(absent, present, get, keep, unit != null, deadline);
    }

    static Expiry.@Nullable Unit unit(Execution execution, int argument) {
        for (Expiry.Unit unit : Expiry.Unit.values()) {
            if (execution.is(argument, unit.name())) {
                return unit;
            }
        }
        return null;
    }

    boolean isConditional() {
        return onlyIfAbsent || onlyIfPresent;
    }
}
