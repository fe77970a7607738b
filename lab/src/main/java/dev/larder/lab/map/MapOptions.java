package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.load.WriteShares;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the map experiment is to do.
 *
 * @param sizes of the maps, one after another
 * @param subjects by name; empty for all that are there
 * @param mix of gets and puts
 * @param rounds in which subjects take turns
 * @param memoryLimitBytes of each subject's process and the files that it brings in; null for none
 * @param plain whether plain records do each operation before a subject does; they take as much memory as all entries
 * @param directory that the files go to; null for the result folder
 * @param seed of the places
 * @param keep whether the files of the last round stay
 */
public record MapOptions(
        Sizes sizes,
        List<String> subjects,
        Mix mix,
        Rounds rounds,
        @Nullable Long memoryLimitBytes,
        boolean plain,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final long MIB = 1L << 20;
    private static final double PERCENT = 100;

    /** What a thread may put of new keys in a second, at most: a map on the heap needs 200 ns for each. */
    private static final double NEW_KEYS_PER_SECOND = 5e6;

    /** And of bytes: no memory that was not touched before takes more from one thread. */
    private static final double NEW_BYTES_PER_SECOND = 3.0 * (1L << 30);

    /** Checks the limit and the names; the text names the option, the value and the range, as those of the parts do. */
    public MapOptions {
        subjects = List.copyOf(subjects);
        check(
                memoryLimitBytes == null || memoryLimitBytes >= 64 * MIB,
                "--memory-limit " + memoryLimitBytes + " is below 64 MiB");
        subjects.forEach(MapKind::named);
    }

    /**
     * How large the maps are: each number of entries with each size of values.
     *
     * @param entries of a map
     * @param valueBytes of an entry
     */
    public record Sizes(List<Long> entries, List<Integer> valueBytes) {

        /** Checks the ranges. */
        public Sizes {
            entries = List.copyOf(entries);
            valueBytes = List.copyOf(valueBytes);
            for (long count : entries) {
                check(count >= 1000 && count <= 10_000_000_000L, "--entries " + count + " is not from 1k to 10G");
            }
            for (int bytes : valueBytes) {
                check(
                        bytes >= MapValue.BYTES_MIN && bytes <= MIB,
                        "--value " + bytes + " is not from " + MapValue.BYTES_MIN + " B to 1 MiB");
            }
            check(!entries.isEmpty() && !valueBytes.isEmpty(), "--entries or --value names no size");
        }
    }

    /**
     * What is done with them.
     *
     * @param writesPercent of gets and puts, each measured on its own: 0 is gets, 100 puts
     * @param newKeysPercent of the puts: those of keys that are not there yet; 0 for a map that stays as it was loaded
     * @param threads at once, each number measured on its own
     */
    public record Mix(List<Integer> writesPercent, int newKeysPercent, List<Integer> threads) {

        /** Checks the ranges. */
        public Mix {
            writesPercent = List.copyOf(writesPercent);
            threads = List.copyOf(threads);
            WriteShares.check(writesPercent, newKeysPercent);
            for (int count : threads) {
                check(count >= 1 && count <= 1000, "--threads " + count + " is not from 1 to 1000");
            }
            check(!threads.isEmpty() && !writesPercent.isEmpty(), "--threads or --writes names none");
        }

        /** Returns the puts of all shares together, as a multiple of the operations of one. */
        double writes() {
            return writesPercent.stream().mapToInt(Integer::intValue).sum() / PERCENT;
        }
    }

    /**
     * How long it is done.
     *
     * @param count of rounds
     * @param seconds measured, of each operation
     * @param warmUpSeconds of each operation before it is measured
     * @param safepointsPerSecond how often all threads are stopped while they are measured, to learn how long that takes;
     *     0 for never
     */
    public record Rounds(int count, double seconds, double warmUpSeconds, int safepointsPerSecond) {

        /** Checks the ranges. */
        public Rounds {
            check(count >= 1 && count <= 99, "--rounds " + count + " is not from 1 to 99");
            check(seconds > 0 && seconds <= 600, "--seconds " + seconds + " is not above 0, up to 600");
            check(
                    warmUpSeconds >= 0 && warmUpSeconds <= 600,
                    "--warm-up " + warmUpSeconds + " is not from 0 s to 600 s");
            check(
                    safepointsPerSecond >= 0 && safepointsPerSecond <= 1000,
                    "--safepoints " + safepointsPerSecond + " is not from 0 to 1000");
        }

        /** Returns how long an operation goes on. */
        double secondsWithWarmUp() {
            return seconds + warmUpSeconds;
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
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

    /** Returns how many entries may come in one round of a subject: as fast as any thread could put them, in all that time. */
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

    /** Returns what is timed: gets and puts in their shares, and reads where the value lies. */
    List<MapOperation> operations() {
        List<MapOperation> operations = new ArrayList<>();
        mix.writesPercent().forEach(percent -> operations.add(MapOperation.writes(percent, mix.newKeysPercent())));
        operations.add(1, MapOperation.READ);
        return operations;
    }

    /** Returns the options for a result. */
    Figures figures() {
        return new Figures()
                .put("entries", sizes.entries())
                .put("value_bytes", sizes.valueBytes())
                .put("subjects", subjects.isEmpty() ? MapKind.names() : subjects)
                .put("writes_percent", mix.writesPercent())
                .put("new_keys_percent", mix.newKeysPercent())
                .put("threads", mix.threads())
                .put("rounds", rounds.count())
                .put("seconds", rounds.seconds())
                .put("warm_up_seconds", rounds.warmUpSeconds())
                .put("memory_limit_bytes", memoryLimitBytes)
                .put("safepoints_per_s", rounds.safepointsPerSecond())
                .put("plain", plain)
                .put("keep", keep);
    }
}
