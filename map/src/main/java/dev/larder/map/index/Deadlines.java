package dev.larder.map.index;

import dev.larder.map.Lifetime;
import dev.larder.map.format.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives entries their deadlines, and determines which have passed. The time is an argument, {@link Lookup#nowMillis}. It is
 * read once for a key, when the first deadline is met, and stays the same until the call ends, or runs a function.
 */
public final class Deadlines {

    private static final long ENDLESS = -1;

    private final LongSupplier clockMillis;
    private final long writtenMillis;
    private final long idleMillis;

    /** A use rewrites a deadline if less than this is left of {@link #idleMillis}. */
    private final long idleLeftMillis;

    private final AtomicBoolean met;

    /** Called when the first deadline is met or given, before its record is linked; perhaps by several threads. */
    private final Runnable meeting;

    /** A clock that must have passed the deadline, in place of the call's time; it may be behind by any amount. */
    private final @Nullable LongSupplier pastMillis;

    /** Receives the deadlines of entries that are alive. */
    private final @Nullable LongConsumer alive;

    public Deadlines(Lifetime lifetime, LongSupplier clockMillis) {
        this(lifetime, clockMillis, null, () -> {});
    }

    /**
     * Creates the same.
     *
     * @param alive receives the deadlines of live entries that lookups find, in milliseconds since 1970; null for no receiver
     * @param meeting called before any record with a deadline is linked, and when one is met
     */
    public Deadlines(Lifetime lifetime, LongSupplier clockMillis, @Nullable LongConsumer alive, Runnable meeting) {
        this(
                clockMillis,
                lifetime.sinceWrite().map(Deadline::lifetimeMillis).orElse(ENDLESS),
                lifetime.sinceUse().map(Deadlines::idleMillis).orElse(ENDLESS),
                lifetime.sinceUse().map(Deadlines::idleLeftMillis).orElse(ENDLESS),
                new AtomicBoolean(),
                meeting,
                null,
                alive);
        if (lifetime.sinceUse().isPresent() || lifetime.sinceWrite().isPresent()) {
            noteMet();
        }
    }

    private Deadlines(
            LongSupplier clockMillis,
            long writtenMillis,
            long idleMillis,
            long idleLeftMillis,
            AtomicBoolean met,
            Runnable meeting,
            @Nullable LongSupplier pastMillis,
            @Nullable LongConsumer alive) {
        this.clockMillis = clockMillis;
        this.writtenMillis = writtenMillis;
        this.idleMillis = idleMillis;
        this.idleLeftMillis = idleLeftMillis;
        this.met = met;
        this.meeting = meeting;
        this.pastMillis = pastMillis;
        this.alive = alive;
    }

    /** Returns a quarter more than was asked for, so that not each use rewrites the deadline. */
    private static long idleMillis(Duration sinceUse) {
        long millis = Deadline.lifetimeMillis(sinceUse);
        return Math.min(Deadline.LIFETIME_MAX_MILLIS, millis + millis / 4 + 1);
    }

    /** Returns what was asked for; if no deadline can be a quarter later, four fifths of the maximum, or each use would write. */
    private static long idleLeftMillis(Duration sinceUse) {
        return Math.min(Deadline.lifetimeMillis(sinceUse), Deadline.LIFETIME_MAX_MILLIS / 5 * 4);
    }

    /**
     * Returns the same, but another clock determines whether a deadline has passed, and no listener is called. A deadline has
     * only its lower bits, and this clock supplies the rest, so the other clock may be years behind. Once one of the two has
     * met an entry that expires, both know.
     */
    public Deadlines by(LongSupplier otherMillis) {
        return new Deadlines(clockMillis, writtenMillis, idleMillis, idleLeftMillis, met, meeting, otherMillis, null);
    }

    /** Returns the milliseconds of a source, or of a clock if there is none. */
    public static LongSupplier millis(Optional<InstantSource> source, LongSupplier otherwise) {
        return source.<LongSupplier>map(given -> given::millis).orElse(otherwise);
    }

    /** Returns the time of a call, which is read when it is first needed. */
    private long now(Lookup call) {
        if (call.nowMillis == Lookup.UNASKED) {
            call.nowMillis = clockMillis.getAsLong();
        }
        return call.nowMillis;
    }

    /** Returns the time. */
    public long nowMillis() {
        return clockMillis.getAsLong();
    }

    /** Sets the time of a call that has not looked at any deadline yet, if there may be any. */
    public void begin(Lookup call) {
        if (met.get()) {
            call.nowMillis = nowMillis();
        }
    }

    /** Returns the deadline of an entry that is put by a call and given no lifetime of its own. */
    public long next(Lookup call) {
        if (idleMillis != ENDLESS) {
            return Deadline.after(now(call), idleMillis) | Deadline.IDLE;
        }
        return writtenMillis == ENDLESS ? Deadline.NONE : Deadline.after(now(call), writtenMillis);
    }

    /** Returns the deadline of an entry that gets a lifetime at a time; no use prolongs it. */
    public long after(long nowMillis, long lifetimeMillis) {
        noteMet();
        return Deadline.after(nowMillis, lifetimeMillis);
    }

    /**
     * Returns the deadline of an entry that is put at a time and expires at an instant; it may have passed.
     *
     * @throws IllegalArgumentException if that is further away than a deadline can be
     */
    public long at(long nowMillis, Instant expiry) {
        noteMet();
        return Deadline.at(nowMillis, expiry);
    }

    /** Returns a deadline that an entry already had elsewhere. */
    public long given(long deadline) {
        if (deadline != Deadline.NONE) {
            noteMet();
        }
        return deadline;
    }

    /** Returns whether a deadline has passed by the time of a call; the clock is read only if there is a deadline. */
    public boolean isPast(long deadline, Lookup call) {
        if (deadline == Deadline.NONE) {
            return false;
        }
        noteMet();
        return isPast(deadline, now(call));
    }

    /** Returns whether a deadline has passed by now. */
    public boolean isPast(long deadline) {
        if (deadline == Deadline.NONE) {
            return false;
        }
        noteMet();
        return isPast(deadline, nowMillis());
    }

    private boolean isPast(long deadline, long nowMillis) {
        long left = Deadline.leftMillis(deadline, nowMillis);
        if (left > 0 && alive != null) {
            alive.accept(nowMillis + left);
        }
        return pastMillis == null ? left <= 0 : nowMillis + left <= pastMillis.getAsLong();
    }

    private void noteMet() {
        if (!met.get()) {
            meeting.run(); // first: a thread that finds met set may link a record at once
            met.set(true);
        }
    }

    /** Returns the moment of the deadline that a call has found; empty if there is none. */
    public Optional<Instant> instant(Lookup call) {
        long deadline = call.foundDeadline;
        return deadline == Deadline.NONE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(now(call) + Deadline.leftMillis(deadline, now(call))));
    }

    /** Returns whether a use of the found entry is to give it a later deadline. */
    public boolean isDueAtUse(Lookup found) {
        return idleMillis != ENDLESS
                && found.isPresent()
                && Deadline.isIdle(found.foundDeadline)
                && Deadline.leftMillis(found.foundDeadline, now(found)) < idleLeftMillis;
    }

    /** Returns whether any entry that expires has been met. */
    public boolean areMet() {
        return met.get();
    }
}
