package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * The child process that appends at a fixed rate and records the time of every append.
 *
 * <p>Arguments: subject, directory, message bytes, appends per second, seconds of warm-up, seconds. The schedule does not wait
 * for the queue: {@code response} counts from the time at which an append was due, even if a slow append delayed it.
 * {@code append} is the call alone.
 */
final class AppendLatencyChild {

    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final String[] NAMES = {"p50_ns", "p90_ns", "p99_ns", "p999_ns", "p9999_ns"};

    private final AppendSubject subject;
    private final long intervalNanos;

    private AppendLatencyChild(AppendSubject subject, long perSecond) {
        this.subject = subject;
        intervalNanos = 1_000_000_000L / perSecond;
    }

    /** Runs one subject, and prints one line of JSON. */
    public static void main(String[] arguments) {
        MemorySegment message =
                Arena.global().allocate(Long.parseLong(arguments[2]), 64).fill((byte) 'x');
        long perSecond = Long.parseLong(arguments[3]);
        long warmUp = perSecond * Long.parseLong(arguments[4]);
        long count = perSecond * Long.parseLong(arguments[5]);
        try (AppendSubject subject = AppendSubject.named(arguments[0], Path.of(arguments[1]), message)) {
            AppendLatencyChild child = new AppendLatencyChild(subject, perSecond);
            subject.prepare(2 * (warmUp + count));
            child.run(warmUp);
            System.out.println(child.run(count).toJson());
        }
    }

    private Figures run(long count) {
        Histogram append = new Histogram(HIGHEST_NANOS, 3);
        Histogram response = new Histogram(HIGHEST_NANOS, 3);
        long due = System.nanoTime();
        for (long done = 0; done < count; done++) {
            due += intervalNanos;
            long start = awaitNanoTime(due);
            subject.append();
            long end = System.nanoTime();
            append.recordValue(end - start);
            response.recordValue(end - due);
        }
        return new Figures()
                .put("count", append.getTotalCount())
                .put("append", figures(append))
                .put("response", figures(response));
    }

    private static long awaitNanoTime(long due) {
        long now = System.nanoTime();
        while (now - due < 0) {
            Thread.onSpinWait();
            now = System.nanoTime();
        }
        return now;
    }

    private static Figures figures(Histogram histogram) {
        Figures figures = new Figures();
        for (int index = 0; index < PERCENTILES.length; index++) {
            figures.put(NAMES[index], histogram.getValueAtPercentile(PERCENTILES[index]));
        }
        return figures.put("max_ns", histogram.getMaxValue());
    }
}
