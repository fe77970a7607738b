package dev.larder.map;

import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Gives entries their deadlines, and says which have passed. */
final class Deadlines {

    /** A deadline is written anew when so much of the idle time is left, of {@link #IDLE_WHOLE}. */
    private static final int IDLE_LEFT = 4;

    private static final int IDLE_WHOLE = 5;
    private static final long ENDLESS = -1;

    private final LongSupplier clockMillis;
    private final long writtenMillis;
    private final long idleMillis;
    private volatile boolean met;

    Deadlines(Lifetime lifetime, LongSupplier clockMillis) {
        this.clockMillis = clockMillis;
        this.idleMillis = lifetime.sinceUse()
                .map(time -> Math.min(Deadline.LIFETIME_MAX_MILLIS, Lifetime.millis(time) / IDLE_LEFT * IDLE_WHOLE + 1))
                .orElse(ENDLESS);
        this.met = lifetime.sinceUse().isPresent() || lifetime.sinceWrite().isPresent();
        this.writtenMillis = lifetime.sinceWrite().map(Lifetime::millis).orElse(ENDLESS);
    }

    /** Returns the deadline of an entry that is put now and given no lifetime of its own. */
    long next() {
        if (idleMillis != ENDLESS) {
            return after(idleMillis) | Deadline.IDLE;
        }
        return writtenMillis == ENDLESS ? Deadline.NONE : after(writtenMillis);
    }

    /** Returns the deadline of an entry that is put now and given a lifetime, which no use prolongs. */
    long after(long lifetimeMillis) {
        if (!met) {
            met = true;
        }
        return Deadline.after(clockMillis.getAsLong(), lifetimeMillis);
    }

    /** Returns whether a deadline has passed; costs a look at the clock where there is one. */
    boolean isPast(long deadline) {
        if (deadline == Deadline.NONE) {
            return false;
        }
        if (!met) {
            met = true;
        }
        return Deadline.leftMillis(deadline, clockMillis.getAsLong()) <= 0;
    }

    /** Returns the moment of a deadline; empty where it is none. */
    Optional<Instant> instant(long deadline) {
        long now = clockMillis.getAsLong();
        return deadline == Deadline.NONE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(now + Deadline.leftMillis(deadline, now)));
    }

    /** Returns whether the use of an entry that was found is to give it a later deadline. */
    boolean isDueAtUse(Probe found) {
        return idleMillis != ENDLESS
                && found.isPresent()
                && Deadline.isIdle(found.foundDeadline)
                && Deadline.leftMillis(found.foundDeadline, clockMillis.getAsLong())
                        < idleMillis / IDLE_WHOLE * IDLE_LEFT;
    }

    /** Returns whether any entry has been met that expires. */
    boolean areMet() {
        return met;
    }
}
