package dev.larder.lab.redis;

import dev.larder.lab.load.Arrivals;
import dev.larder.lab.load.ReplayArrivals;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a file of recorded arrivals amounts to.
 *
 * @param count of the arrivals that are replayed
 * @param seconds of the replay
 */
record RecordedArrivals(long count, double seconds) {

    private static final double SECOND_NANOS = 1e9;
    private static final double AFTER_THE_LAST = 0.001;

    /** Reads a file, as far as {@code secondsMax}; to its end where that is null. */
    static RecordedArrivals of(Path file, @Nullable Double secondsMax) {
        try (ReplayArrivals arrivals = new ReplayArrivals(file, 1)) {
            double end = secondsMax == null ? Double.MAX_VALUE : secondsMax * SECOND_NANOS;
            long count = 0;
            long last = 0;
            for (long next = arrivals.next(); next != Arrivals.END && next < end; next = arrivals.next()) {
                last = next;
                count++;
            }
            if (count == 0) {
                throw new LabException("there are no arrivals in " + file);
            }
            double whole = last / SECOND_NANOS + AFTER_THE_LAST;
            return new RecordedArrivals(count, secondsMax == null ? whole : Math.min(whole, secondsMax));
        }
    }

    double ratePerSecond() {
        return count / seconds;
    }
}
