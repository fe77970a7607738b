package dev.larder.lab.latency;

import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the latency experiment. */
public record LatencyOptions(
        @Setting("--message SIZE=256B [16B..1MiB x 8B] The size of a message")
        int messageBytes,

        @Setting("--rate RATE=10k [1..1M] Messages a second")
        double ratePerSecond,

        @Setting("--synced-rate RATE=100 [1..1M] Messages a second in rows that sync each append")
        double syncedRatePerSecond,

        @Setting("--arrivals NAME=poisson How messages arrive: poisson or constant")
        ArrivalKind arrivals,

        @Setting("--duration TIME=20s|800ms [100ms..1h] The measured time of each row")
        Duration duration,

        @Setting("--warm-up TIME=5s|300ms [0s..1h] The warm-up of each row")
        Duration warmUp,

        @Setting("--park TIME=50us [1us..1s] The interval between two checks of a parking tailer")
        Duration parkInterval,

        @Setting("--row NAME Measure only this row; repeat it for more rows (all)")
        List<String> rows,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    /** Checks the ranges; an error names the option, the value and the range. */
    public LatencyOptions {
        Require.that(
                arrivals != ArrivalKind.REPLAY, "--arrivals replay is not for this experiment: constant or poisson");
        rows = List.copyOf(rows);
        for (String row : rows) {
            Require.that(LatencyRow.NAMES.contains(row), "--row " + row + " is not one of " + LatencyRow.NAMES);
        }
    }

    List<LatencyRow> chosenRows() {
        return LatencyRow.all(this).stream()
                .filter(row -> rows.isEmpty() || rows.contains(row.name()))
                .toList();
    }
}
