package dev.larder.log;

import dev.larder.log.format.SegmentLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The retention of a log: when its oldest segments are dropped, whole, after they have ended. Immutable; each {@code with}
 * returns a changed copy. A retention given at creation belongs to the log, and applies to every opening that gives none. An
 * opening with another retention drops by that.
 *
 * <p>A reader whose position was dropped gets a {@link FellBehindException}. The last segment always stays.
 *
 * @param bytes the most bytes that the segments may take, at least 128 KiB; beyond it the oldest segment is dropped, even if
 *     readers need it. An opening with this bound makes segments of at most a quarter of it, so that three quarters stay when
 *     one is dropped. A segment may take half of it where that is at most 2 MiB, and is as large as a record needs. Prepared
 *     space and up to two spare files come on top. Empty: no bound
 * @param age how old a segment's last record may be, up to 100 years. An older segment is dropped, unless a named
 *     reader has not passed it. Zero: a segment is dropped when every named reader has passed it. Empty: segments are
 *     kept for ever
 * @param absence how long an absent named reader may hold back segments that {@link #age} would drop, from 1 s to 100
 *     years. Empty: for ever
 */
public record LogRetention(OptionalLong bytes, Optional<Duration> age, Optional<Duration> absence) {

    private static final LogRetention NONE = new LogRetention(OptionalLong.empty(), Optional.empty(), Optional.empty());
    private static final long BYTES_MIN = 2 * SegmentLayout.SIZE_MIN_BYTES;
    private static final Duration ABSENCE_MIN = Duration.ofSeconds(1);

    /** Makes a retention; each value must be in its range. */
    public LogRetention {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(absence, "absence");
        if (bytes.isPresent() && bytes.getAsLong() < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "retention of " + bytes.getAsLong() + " bytes; the least is " + BYTES_MIN + " bytes");
        }
        age.ifPresent(given -> check("age", given, Duration.ZERO));
        absence.ifPresent(given -> check("absence", given, ABSENCE_MIN));
    }

    private static void check(String what, Duration given, Duration least) {
        Duration most = Duration.ofDays(36_500);
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "retention by " + what + " of " + given + " is not between " + least + " and " + most);
        }
    }

    /** Returns the retention that drops nothing; in options, it means the retention that the log was created with. */
    public static LogRetention none() {
        return NONE;
    }

    /** Returns whether nothing is ever dropped. */
    public boolean isNone() {
        return bytes.isEmpty() && age.isEmpty();
    }

    /** Returns a copy with other {@link #bytes}. */
    public LogRetention withBytes(long most) {
        return new LogRetention(OptionalLong.of(most), age, absence);
    }

    /** Returns a copy with another {@link #age}. */
    public LogRetention withAge(Duration most) {
        return new LogRetention(bytes, Optional.of(most), absence);
    }

    /** Returns a copy with another {@link #absence}. */
    public LogRetention withAbsence(Duration most) {
        return new LogRetention(bytes, age, Optional.of(most));
    }
}
