package dev.larder.log;

import dev.larder.log.format.SegmentLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a log may forget: its oldest segments, whole, once they have ended. Immutable; each {@code with} returns a changed
 * copy. Given when a log is created it belongs to the log, and every opening that says nothing keeps to it; an opening
 * that says something else drops by what it says.
 *
 * <p>A reader that stands in what was dropped gets a {@link FellBehindException}. The last segment always stays.
 *
 * @param bytes the most that the segments may take, from 4 MiB on; while they take more the oldest goes, whoever reads it.
 *     An opening with such a bound makes segments of a quarter of it at most (of 2 MiB at least, and as large as a record
 *     needs), so that three quarters stay when one goes. What is prepared ahead, and up to two spare files, come on top. Empty: no bound
 * @param age how old a segment's last record may be, up to 100 years; older ones go, unless a named reader has not passed
 *     them. Zero: each goes as soon as every named reader has passed it. Empty: for ever
 * @param absence how long a named reader that does not come may hold back what {@link #age} lets go, from 1 s to 100 years.
 *     Empty: for ever
 */
public record LogRetention(OptionalLong bytes, Optional<Duration> age, Optional<Duration> absence) {

    private static final LogRetention NONE = new LogRetention(OptionalLong.empty(), Optional.empty(), Optional.empty());
    private static final long BYTES_MIN = 2 * SegmentLayout.SIZE_MIN_BYTES;
    private static final Duration ABSENCE_MIN = Duration.ofSeconds(1);

    /** A retention; each value must be in its range. */
    public LogRetention {
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
                    "retention by " + what + " of " + given + " is not within " + least + " and " + most);
        }
    }

    /** Returns the retention that drops nothing; in options: as the log was created. */
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
