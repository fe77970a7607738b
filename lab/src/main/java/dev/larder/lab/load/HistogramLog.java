package dev.larder.lab.load;

import dev.larder.cli.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The HdrHistogram log of a load: one line for each second of answers and kind of request, in nanoseconds. The kind is
 * the line's tag. Tools for such logs can read it.
 */
final class HistogramLog implements AutoCloseable {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final OutputStream out;
    private final Answer answer;
    private final HistogramLogWriter writer;
    private final List<Histogram> second = new ArrayList<>();
    private long number;

    HistogramLog(OutputStream out, List<String> kinds) {
        this.out = out;
        answer = new Answer(out);
        writer = new HistogramLogWriter(answer);
        writer.outputComment("response times, from the intended start, by second of the answer");
        writer.outputLogFormatVersion();
        writer.outputLegend();
        for (String kind : kinds) {
            Histogram histogram = new Histogram(1, HIGHEST_NANOS, DIGITS);
            histogram.setTag(kind);
            second.add(histogram);
        }
    }

    /** Adds a response; answers come in ascending order, except within a few microseconds. */
    void add(long answered, long responseNanos, int kind) {
        if (answered >= (number + 1) * SECOND_NANOS) {
            write();
            number = answered / SECOND_NANOS;
        }
        second.get(kind).recordValue(Math.clamp(responseNanos, 0, HIGHEST_NANOS));
    }

    private void write() {
        for (Histogram histogram : second) {
            if (histogram.getTotalCount() > 0) {
                writer.outputIntervalHistogram((double) number, (double) number + 1, histogram, NANOS_PER_MILLI);
                String kind = histogram.getTag();
                histogram.reset(); // also the tag
                histogram.setTag(kind);
            }
        }
    }

    /**
     * Closes the log.
     *
     * @throws IOException if the log could not be written, which its writer does not tell
     */
    @Override
    public void close() throws IOException {
        try (out) {
            write();
            writer.close();
            Optional<IOException> failure = answer.failure();
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }
}
