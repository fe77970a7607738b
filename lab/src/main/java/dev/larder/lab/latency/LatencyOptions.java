package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.ArrivalKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the latency experiment is to do.
 *
 * @param messageBytes of each message, a multiple of 8 from 16 to 1 MiB
 * @param ratePerSecond of messages, 1 to 1,000,000
 * @param syncedRatePerSecond of messages where each append is synced, within the same range
 * @param arrivals how the messages are spread over time
 * @param duration of what is measured, 100 ms to 1 hour
 * @param warmUp of messages sent before, that do not count
 * @param parkInterval between two looks of a tailer that parks
 * @param rows the names of those to run; empty for all
 * @param directory that the data goes to; null for the result folder
 * @param seed of the arrivals and the messages
 * @param keep whether the data stays
 */
public record LatencyOptions(
        int messageBytes,
        double ratePerSecond,
        double syncedRatePerSecond,
        ArrivalKind arrivals,
        Duration duration,
        Duration warmUp,
        Duration parkInterval,
        List<String> rows,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Checks the ranges; the text names the option, the value and the range. */
    public LatencyOptions {
        check(
                messageBytes >= StampedMessage.LEAST_BYTES && messageBytes <= 1 << 20 && messageBytes % 8 == 0,
                "--message " + messageBytes + " is not a multiple of 8 from " + StampedMessage.LEAST_BYTES
                        + " B to 1 MiB");
        checkRate("--rate", ratePerSecond);
        checkRate("--synced-rate", syncedRatePerSecond);
        check(arrivals != ArrivalKind.REPLAY, "--arrivals replay is not for this experiment: constant or poisson");
        check(
                duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0,
                "--duration " + duration + " is not from 100 ms to 1 h");
        check(!warmUp.isNegative() && warmUp.compareTo(LONGEST) <= 0, "--warm-up " + warmUp + " is not from 0 to 1 h");
        check(
                parkInterval.toNanos() >= 1_000 && parkInterval.compareTo(Duration.ofSeconds(1)) <= 0,
                "--park " + parkInterval + " is not from 1 us to 1 s");
        rows = List.copyOf(rows);
        for (String row : rows) {
            check(LatencyRow.NAMES.contains(row), "--row " + row + " is none of " + LatencyRow.NAMES);
        }
    }

    private static void checkRate(String name, double rate) {
        check(rate >= 1 && rate <= 1e6, name + " " + rate + "/s is not from 1/s to 1M/s");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the rows to run, in order. */
    List<LatencyRow> chosenRows() {
        return LatencyRow.all(this).stream()
                .filter(row -> rows.isEmpty() || rows.contains(row.name()))
                .toList();
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("message_bytes", messageBytes)
                .put("rate_per_s", ratePerSecond)
                .put("synced_rate_per_s", syncedRatePerSecond)
                .put("arrivals", arrivals)
                .put("duration_ms", duration.toMillis())
                .put("warm_up_ms", warmUp.toMillis())
                .put("park_us", parkInterval.toNanos() / 1e3)
                .put("rows", rows)
                .put("keep", keep);
    }
}
