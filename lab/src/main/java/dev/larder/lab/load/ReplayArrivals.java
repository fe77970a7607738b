package dev.larder.lab.load;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Recorded moments: a text file with one per line, in seconds, ascending. Empty lines, and text after a {@code #}, are
 * ignored. The first moment is the start.
 */
public final class ReplayArrivals implements Arrivals, AutoCloseable {

    private static final double SECOND_NANOS = 1e9;
    private static final double AFTER_THE_LAST = 0.001;

    private final Path file;
    private final BufferedReader lines;
    private final double speed;
    private long line;
    private double first = Double.NaN;
    private double last = Double.NEGATIVE_INFINITY;

    /** The moments of a file, {@code speed} times as fast as they were recorded. */
    public ReplayArrivals(Path file, double speed) {
        this.file = file;
        this.speed = speed;
        lines = Attempt.giving("read the arrivals " + file, () -> Files.newBufferedReader(file));
    }

    @Override
    public long next() {
        String text = nextText();
        if (text == null) {
            return END;
        }
        double seconds = seconds(text);
        if (Double.isNaN(first)) {
            first = seconds;
        }
        return (long) ((seconds - first) * SECOND_NANOS / speed);
    }

    /**
     * A replay's extent.
     *
     * @param count of the arrivals
     * @param seconds of the replay
     */
    public record Extent(long count, double seconds) {}

    /** Reads to the end, or up to so many seconds unless null; returns the extent. */
    public Extent extent(@Nullable Double secondsMax) {
        double end = secondsMax == null ? Double.MAX_VALUE : secondsMax * SECOND_NANOS;
        long count = 0;
        long latest = 0;
        for (long next = next(); next != END && next < end; next = next()) {
            latest = next;
            count++;
        }
        if (count == 0) {
            throw new LabException("there are no arrivals in " + file);
        }
        double whole = latest / SECOND_NANOS + AFTER_THE_LAST;
        return new Extent(count, secondsMax == null ? whole : Math.min(whole, secondsMax));
    }

    private @Nullable String nextText() {
        return Attempt.giving("read the arrivals " + file, () -> {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                int comment = text.indexOf('#');
                String kept = (comment < 0 ? text : text.substring(0, comment)).strip();
                if (!kept.isEmpty()) {
                    return kept;
                }
            }
            return null;
        });
    }

    private double seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (!(seconds >= last) || Double.isInfinite(seconds)) {
                throw new LabException(file + ", line " + line + ": " + text + " s is not later than " + last
                        + " s, the time of the line before");
            }
            last = seconds;
            return seconds;
        } catch (NumberFormatException e) {
            throw new LabException(file + ", line " + line + ": '" + text + "' is not a number of seconds", e);
        }
    }

    @Override
    public void close() {
        Attempt.to("close " + file, () -> lines.close());
    }
}
