package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Store;
import java.util.Locale;

/** Times at which keys expire, as commands give them. */
final class Expiry {

    /** The form in which an argument gives a time. */
    enum Unit {
        EX(1000, true),
        PX(1, true),
        EXAT(1000, false),
        PXAT(1, false);

        private final int millis;
        private final boolean relative;

        Unit(int millis, boolean relative) {
            this.millis = millis;
            this.relative = relative;
        }
    }

    /** 17 years of 365 days, less a day: every lifetime in the map stays below this. Beyond it a key does not expire. */
    private static final long LIFETIME_MAX_MILLIS = (17L * 365 - 1) * 24 * 3600 * 1000;

    private Expiry() {}

    /** Returns a deadline as {@link #any} does, from a count of units that must be above 0. */
    static long positive(Execution execution, int argument, Unit unit, String command) {
        long count = execution.integer(argument);
        if (count <= 0) {
            throw invalid(command);
        }
        return any(execution, count, unit, command);
    }

    /** Returns a deadline, which may have passed; {@link Store#ENDLESS} if it is too far away. */
    static long any(Execution execution, long count, Unit unit, String command) {
        long now = execution.store().nowMillis();
        if (count > Long.MAX_VALUE / unit.millis || count < Long.MIN_VALUE / unit.millis) {
            throw invalid(command);
        }
        long millis = count * unit.millis;
        if (unit.relative && millis > 0 && millis > Long.MAX_VALUE - now) {
            throw invalid(command);
        }
        long deadline = unit.relative ? millis + now : millis;
        return deadline > now + LIFETIME_MAX_MILLIS ? Store.ENDLESS : Math.max(deadline, 0);
    }

    private static ReplyException invalid(String command) {
        return new ReplyException("ERR invalid expire time in '" + command.toLowerCase(Locale.ROOT) + "' command");
    }

    /** Returns whether a deadline has passed. */
    static boolean isPast(Store store, long deadlineMillis) {
        return deadlineMillis != Store.ENDLESS && deadlineMillis <= store.nowMillis();
    }
}
