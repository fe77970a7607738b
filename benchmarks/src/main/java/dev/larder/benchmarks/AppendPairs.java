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
 * Compares appends into prepared segments, by a confined appender and by a shared one, with a copy of the same bytes into
 * present memory. They take turns within one JVM, in slices of some hundred microseconds. A round is a new queue. Its times are
 * the medians of its slices, so an interruption of a slice or two does not count. Each round gives one ratio; the result is the
 * median of the ratios.
 *
 * <pre>
 * java ... dev.larder.benchmarks.AppendPairs [bytes of a message] [rounds]
 * </pre>
 */
public final class AppendPairs {

    private static final long RECORD_HEADER_BYTES = 8;
    private static final int WARM_UPS = 4;
    private static final long SLICE_BYTES = 256 << 10;
    private static final int SLICES = (int) (QueueFiles.CALL_BYTES / SLICE_BYTES);

    private final int messageBytes;
    private final int count;
    private final MemorySegment message;
    private final MemorySegment present =
            Arena.ofAuto().allocate(QueueFiles.CALL_BYTES, 4096).fill((byte) 1);

    private AppendPairs(int messageBytes) {
        this.messageBytes = messageBytes;
        this.count = (int) (SLICE_BYTES / messageBytes);
        this.message = Arena.ofAuto().allocate(messageBytes, 64).fill((byte) 'x');
    }

    /** Measures, and prints a line per round and the medians. */
    public static void main(String[] args) throws IOException {
        int messageBytes = args.length > 0 ? Integer.parseInt(args[0]) : 64;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 15;
        AppendPairs pairs = new AppendPairs(messageBytes);
        double[] confined = new double[rounds];
        double[] shared = new double[rounds];
        double[] copied = new double[rounds];
        for (int round = -WARM_UPS; round < rounds; round++) {
            double[] times = pairs.round();
            int at = Math.max(round, 0);
            confined[at] = times[0];
            shared[at] = times[1];
            copied[at] = times[2];
            System.out.printf(
                    Locale.ROOT,
                    "%2d: confined %.1f ns, shared %.1f ns, copy %.1f ns%n",
                    round,
                    times[0],
                    times[1],
                    times[2]);
        }
        System.out.printf(
                Locale.ROOT,
                "%d bytes, medians: confined %.1f ns, shared %.1f ns, copy %.1f ns;"
                        + " confined / shared %.3f; confined / copy %.3f; shared / copy %.3f%n",
                messageBytes,
                median(confined),
                median(shared),
                median(copied),
                medianRatio(confined, shared),
                medianRatio(confined, copied),
                medianRatio(shared, copied));
    }

    /** Returns the nanoseconds of one append, confined and shared, and of one copy. */
    private double[] round() throws IOException {
        Path directory = QueueFiles.create();
        LogOptions options =
                LogOptions.defaults().withIntegrity(IntegrityMode.SEAL).withSync(SyncPolicy.none());
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender confined = queue.confinedAppender();
                Appender shared = queue.appender()) {
            queue.prepare(2 * QueueFiles.CALL_BYTES / messageBytes * (messageBytes + RECORD_HEADER_BYTES));
            double[][] times = new double[3][SLICES];
            for (int slice = 0; slice < SLICES; slice++) {
                boolean first = slice % 2 == 0;
                times[first ? 0 : 1][slice] = append(first ? confined : shared);
                times[first ? 1 : 0][slice] = append(first ? shared : confined);
                times[2][slice] = copy(slice * SLICE_BYTES);
            }
            return new double[] {median(times[0]), median(times[1]), median(times[2])};
        } finally {
            QueueFiles.delete(directory);
        }
    }

    private double append(Appender appender) {
        long begun = System.nanoTime();
        for (int left = count; left > 0; left--) {
            appender.append(message, 0, messageBytes);
        }
        return (System.nanoTime() - begun) / (double) count;
    }

    private double copy(long from) {
        long begun = System.nanoTime();
        long at = from;
        for (int left = count; left > 0; left--) {
            MemorySegment.copy(message, 0, present, at, messageBytes);
            at += messageBytes;
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
