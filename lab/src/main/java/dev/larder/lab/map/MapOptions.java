package dev.larder.lab.map;

import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the map experiment. */
public record MapOptions(
        Sizes sizes,

        @Setting("--subjects NAME=|larder,concurrent-hash-map What to measure: larder, larder-cache,"
                + " larder-tight, log, concurrent-hash-map, plain-file, mapped-file, and the rivals"
                + " caffeine, ohc, chronicle-map, ehcache, mapdb, mvstore, lmdb, rocksdb (all)")
        List<String> subjects,

        Mix mix,
        Rounds rounds,

        @Setting("--memory-limit SIZE [64MiB..] The memory limit of each subject's process, including"
                + " the pages of its files (none)")
        @Nullable
        Long memoryLimitBytes,

        @Setting("--no-plain Leave out the plain memory beside the maps, which takes as much as all"
                + " entries. Use this for sizes up to half of the machine's memory")
        boolean plain,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    private static final double PERCENT = 100;

    /** The most new keys per second that a thread can put: a map on the heap needs 200 ns for each. */
    private static final double NEW_KEYS_PER_SECOND = 5e6;

    /** The most new bytes: untouched memory takes no more from one thread. */
    private static final double NEW_BYTES_PER_SECOND = 3.0 * (1L << 30);

    /** Checks the limit and the names; an error names the option, the value and the range, as in the parts. */
    public MapOptions {
        subjects = List.copyOf(subjects);
        subjects.forEach(MapKind::named);
    }

    /** The sizes of the maps: each number of entries with each size of values. */
    public record Sizes(
            @Setting("--entries COUNT=5M|200k [1k..10G] The number of entries; several numbers run one"
                    + " after another")
            List<Long> entries,

            @Setting("--value SIZE=100 [24B..1MiB] The size of a value")
            List<Integer> valueBytes) {

        /** Checks the ranges. */
        public Sizes {
            Require.that(!entries.isEmpty() && !valueBytes.isEmpty(), "--entries or --value names no size");
        }
    }

    /** The operations on them. */
    public record Mix(
            @Setting("--writes PERCENT=0,10,50,100|0,10,100 [0..100] The percentage of operations that"
                    + " are puts, each measured separately")
            List<Integer> writesPercent,

            @Setting("--new-keys PERCENT=0 [0..100] The percentage of puts that use new keys, so that"
                    + " the map grows while it is measured")
            int newKeysPercent,

            @Setting(
                    "--threads COUNT=1,2|1 [1..1000] The number of threads; several numbers run one" + " after another")
            List<Integer> threads) {

        /** Checks the ranges. */
        public Mix {
            Require.that(
                    newKeysPercent == 0 || writesPercent.stream().anyMatch(percent -> percent > 0),
                    "--new-keys " + newKeysPercent + " is a share of the puts, but --writes " + writesPercent
                            + " has no puts");
            Require.that(!threads.isEmpty() && !writesPercent.isEmpty(), "--threads or --writes is empty");
        }

        /** Returns the puts of all shares together, as a multiple of the operations of one. */
        double writes() {
            return writesPercent.stream().mapToInt(Integer::intValue).sum() / PERCENT;
        }
    }

    /** Their number and duration. */
    public record Rounds(
            @Setting("--rounds COUNT=3|1 [1..99] Rounds, in which the subjects take turns")
            int rounds,

            @Setting("--seconds NUMBER=2|0.3 [0.001..600] The measured time of each operation")
            double seconds,

            @Setting("--warm-up TIME=2s|300ms [0s..10m] The warm-up of each operation")
            double warmUpSeconds,

            @Setting("--safepoints COUNT=0 [0..1000] Stop all threads this often a second during the"
                    + " measurement, and report how long it takes until they stop")
            int safepointsPerSecond) {

        /** Returns the duration of an operation. */
        double secondsWithWarmUp() {
            return seconds + warmUpSeconds;
        }
    }

    /** Returns the sizes, one after another. */
    List<MapShape> shapes() {
        List<MapShape> shapes = new ArrayList<>();
        for (int bytes : sizes.valueBytes()) {
            sizes.entries().forEach(count -> shapes.add(new MapShape(count, bytes, newEntries(bytes))));
        }
        return shapes;
    }

    /** Returns the most new entries in one round of a subject: at the highest rate of a thread, for all that time. */
    private long newEntries(int bytes) {
        int processors = Runtime.getRuntime().availableProcessors();
        long putting = mix.threads().stream()
                .mapToLong(count -> Math.min(count, processors))
                .sum();
        double each = Math.min(NEW_KEYS_PER_SECOND, NEW_BYTES_PER_SECOND / (MapShape.KEY_BYTES + bytes));
        return (long)
                Math.ceil(each * putting * rounds.secondsWithWarmUp() * mix.writes() * mix.newKeysPercent() / PERCENT);
    }

    List<MapKind> kinds() {
        return subjects.isEmpty()
                ? MapKind.ALL
                : subjects.stream().map(MapKind::named).toList();
    }

    /** Returns the timed operations: gets and puts in their shares, and reads in place. */
    List<MapOperation> operations() {
        List<MapOperation> operations = new ArrayList<>();
        mix.writesPercent().forEach(percent -> operations.add(MapOperation.writes(percent, mix.newKeysPercent())));
        operations.add(1, MapOperation.READ);
        return operations;
    }
}
