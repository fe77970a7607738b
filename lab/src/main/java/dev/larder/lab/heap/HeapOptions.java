package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the heap experiment. */
public record HeapOptions(
        @Setting("--live SIZE=1GiB|256MiB [1MiB..16TiB] The total bytes of all values; several sizes run"
                + " one after another")
        List<Long> liveBytes,

        @Setting("--subjects NAME=concurrent-hash-map,caffeine,larder,region|concurrent-hash-map,region"
                + " What to measure: concurrent-hash-map and caffeine on the heap, larder and region"
                + " outside it (all)")
        List<String> subjects,

        Heaps heaps,
        Requests requests,

        @Setting("--seconds NUMBER=20|5 [0.001..3600] The measured time of each phase")
        double seconds,

        @Setting("--warm-up TIME=30s|8s [0s..10m] The longest warm-up before each phase")
        double warmUpSeconds,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    /** Checks the ranges; an error names the option, the value and the range, as in the parts. */
    public HeapOptions {
        liveBytes = List.copyOf(liveBytes);
        subjects = List.copyOf(subjects);
        for (String subject : subjects) {
            Require.that(
                    HeapSubject.names().contains(subject),
                    "--subjects " + subject + " is not one of " + HeapSubject.names());
        }
    }

    /** The heaps of the subjects, and their collectors. */
    public record Heaps(
            @Setting("--heap-factor NUMBER [1.25..100] The heap of subjects on the heap, as a multiple"
                    + " of --live (2 up to 2GiB; above, 1.5 and a GiB more)")
            @Nullable
            Double heapFactor,

            @Setting("--small-heap SIZE=256MiB [32MiB..] The heap of subjects outside the heap")
            long smallHeapBytes,

            @Setting("--collectors NAME=parallel,g1,zgc,shenandoah|g1,zgc Collectors for subjects on the"
                    + " heap: parallel, g1, zgc, shenandoah")
            List<Collector> collectors,

            @Setting("--off-heap-collectors NAME=g1,zgc|g1 Collectors for subjects outside the heap:"
                    + " these, and serial")
            List<Collector> offHeapCollectors) {

        /**
         * Returns the heap for so many live bytes, in whole 2 MiB. Without a given factor it is twice as large up to 2 GiB
         * of live bytes. Above, it is 1.5 times as large plus 1 GiB: 4 GiB for 2, 10 GiB for 6.
         */
        public long bytes(long live) {
            double bytes = heapFactor == null ? 1.5 * live + Math.min(live / 2, GIB) : heapFactor * live;
            return (long) Math.ceil(bytes / (2 * MIB)) * 2 * MIB;
        }
    }

    /** The requests to a subject, and the work beside them. */
    public record Requests(
            @Setting("--rate RATE=20k|2k [1..1M] Requests a second")
            double ratePerSecond,

            @Setting("--threads COUNT=2 [1..1000] Threads that serve requests")
            int threads,

            @Setting("--writes PERCENT=10 [0..100] The percentage of requests that are puts")
            double writesPercent,

            @Setting("--refresh RATE=60k|0 [0..10M] Values a second that a bulk load replaces in a"
                    + " second phase; 0 for no second phase")
            double refreshPerSecond) {

        double perSecond() {
            return ratePerSecond;
        }

        List<Phase> phases() {
            return refreshPerSecond > 0 ? List.of(Phase.STEADY, Phase.REFRESH) : List.of(Phase.STEADY);
        }
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return Settings.figures(this)
                .put("value_bytes", Value.BYTES)
                .put("garbage_bytes_per_request", HeapService.OBJECT_BYTES);
    }
}
