package dev.larder.benchmarks;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Appends into prepared segments by a confined appender and by a shared one, and copies the same bytes into present memory, in
 * turns within one JVM. Each round has all three, and gives one ratio; the median of those is what counts.
 *
 * <pre>
 * java ... dev.larder.benchmarks.AppendPairs [bytes of a message] [rounds]
 * </pre>
 */
public final class AppendPairs {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int WARM_UPS = 6;

    private final int messageBytes;
    private final long count;
    private final MemorySegment message;
    private final MemorySegment present =
            Arena.ofAuto().allocate(QueueFiles.CALL_BYTES, 4096).fill((byte) 1);

    private AppendPairs(int messageBytes) {
        this.messageBytes = messageBytes;
        this.count = QueueFiles.CALL_BYTES / messageBytes;
        this.message = Arena.ofAuto().allocate(messageBytes, 64).fill((byte) 'x');
    }

    /** Measures, and prints a line a round and the medians. */
    public static void main(String[] args) throws IOException {
        int messageBytes = args.length > 0 ? Integer.parseInt(args[0]) : 64;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 15;
        AppendPairs pairs = new AppendPairs(messageBytes);
        double[] shared = new double[rounds];
        double[] confined = new double[rounds];
        double[] copied = new double[rounds];
        for (int round = -WARM_UPS; round < rounds; round++) {
            boolean confinedFirst = round % 2 == 0;
            double first = pairs.append(confinedFirst);
            double second = pairs.append(!confinedFirst);
            double copy = pairs.copy();
            if (round >= 0) {
                confined[round] = confinedFirst ? first : second;
                shared[round] = confinedFirst ? second : first;
                copied[round] = copy;
                print("%2d: ".formatted(round), confined[round], shared[round], copied[round]);
            }
        }
        print("medians: ", median(confined), median(shared), median(copied));
        System.out.printf(
                Locale.ROOT,
                "%d bytes: confined / shared %.3f; confined / copy %.3f; shared / copy %.3f%n",
                messageBytes,
                medianRatio(confined, shared),
                medianRatio(confined, copied),
                medianRatio(shared, copied));
    }

    private static void print(String head, double confined, double shared, double copied) {
        System.out.printf(
                Locale.ROOT, "%sconfined %.1f ns, shared %.1f ns, copy %.1f ns%n", head, confined, shared, copied);
    }

    /** Returns the nanoseconds of one append into a new queue that was prepared for all. */
    private double append(boolean confined) throws IOException {
        Path directory = QueueFiles.create();
        LogOptions options =
                LogOptions.defaults().withIntegrity(IntegrityMode.SEAL).withSync(SyncPolicy.none());
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender appender = confined ? queue.confinedAppender() : queue.appender()) {
            queue.prepare(2 * count * (messageBytes + RECORD_HEADER_BYTES));
            long begun = System.nanoTime();
            appendAll(appender);
            return (System.nanoTime() - begun) / (double) count;
        } finally {
            QueueFiles.delete(directory);
        }
    }

    private void appendAll(Appender appender) {
        for (long left = count; left > 0; left--) {
            appender.append(message, 0, messageBytes);
        }
    }

    private double copy() {
        long begun = System.nanoTime();
        for (long at = 0; at <= QueueFiles.CALL_BYTES - messageBytes; at += messageBytes) {
            MemorySegment.copy(message, 0, present, at, messageBytes);
        }
        return (System.nanoTime() - begun) / (double) count;
    }

    private static double medianRatio(double[] times, double[] others) {
        double[] ratios = new double[times.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = times[i] / others[i];
        }
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
