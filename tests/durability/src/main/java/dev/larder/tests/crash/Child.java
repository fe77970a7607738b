package dev.larder.tests.crash;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings that a child gets, all on its command line.
 *
 * @param number of the child among all that the test has started; names its messages and its files
 * @param queue the directory of the queue
 * @param reports the directory of the reports, outside the queue
 * @param plan step at which it stops or dies; see {@link CrashPlan}
 * @param storage {@code system} or {@code portable}; with a {@link Poison}, {@code system+poison}
 * @param integrity of the queue
 * @param from position at which a tailer continues; -1 at the start
 * @param name of its tailer; {@code -} where it has none
 */
public record Child(
        int number,
        Path queue,
        Path reports,
        String plan,
        String storage,
        IntegrityMode integrity,
        long from,
        String name) {

    /** The largest segments of these queues: small, so that rolls are frequent. */
    public static final long SEGMENT_BYTES = 4L << 20;

    /** The bytes that these queues keep: so few that files are dropped and used again all the time. */
    private static final long KEPT_BYTES = 8 * SEGMENT_BYTES;

    static Child of(String[] args) {
        return new Child(
                Integer.parseInt(args[0]),
                Path.of(args[1]),
                Path.of(args[2]),
                args[3],
                args[4],
                IntegrityMode.valueOf(args[5]),
                Long.parseLong(args[6]),
                args[7]);
    }

    /** Returns the command line. */
    public String[] arguments() {
        return new String[] {
            Integer.toString(number),
            queue.toString(),
            reports.toString(),
            plan,
            storage,
            integrity.name(),
            Long.toString(from),
            name
        };
    }

    /** Returns the file of this child's progress. */
    public Path progress() {
        return reports.resolve(number + ".progress");
    }

    /** Returns the file of the messages that a tailer has read. */
    public Path seen() {
        return reports.resolve(number + ".seen");
    }

    /** Returns the file that gets a byte for each file of a dropped segment that was poisoned. */
    public static Path poisoned(Path reports) {
        return reports.resolve("poisoned");
    }

    private Storage files() {
        String[] words = storage.split("\\+", 2);
        Storage files = words[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system();
        return words.length < 2 ? files : Poison.over(files, Poison.Wrong.of(words[1]), poisoned(reports));
    }

    LogOptions options() {
        return HookedOptions.withStorage(
                        LogOptions.defaults()
                                .withLargestSegmentBytes(SEGMENT_BYTES)
                                .withIntegrity(integrity)
                                .withPrepareBytes(4L << 20)
                                .withRetention(retention -> retention.withBytes(KEPT_BYTES)),
                        files())
                .withSync(SyncPolicy.every(Duration.ofMillis(200)));
    }
}
