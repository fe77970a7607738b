package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Attempt;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A summary of a load's responses. It reads them once, in the order in which they were kept, and takes the memory of a
 * few histograms, however many there are.
 */
public final class LoadSummary {

    /** The generator was the bottleneck if its lateness at p99 is above this, in microseconds ... */
    static final double LATE_P99_US = 200;

    /** ... and above this share of the response time at p99. */
    static final double LATE_SHARE = 0.1;

    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final double seconds;
    private final List<String> kinds;
    private final OperationTimes all = new OperationTimes("all");
    private final @Nullable OperationTimes foreground;
    private final boolean[] isForeground;
    private final List<OperationTimes> byKind = new ArrayList<>();
    private final Timeline timeline;

    private LoadSummary(List<String> kinds, Optional<Workload.Foreground> main, double seconds) {
        this.kinds = kinds;
        this.seconds = seconds;
        this.timeline = new Timeline(seconds);
        this.foreground = main.map(found -> new OperationTimes(found.name())).orElse(null);
        this.isForeground = new boolean[kinds.size()];
        for (int kind = 0; kind < kinds.size(); kind++) {
            String name = kinds.get(kind);
            isForeground[kind] = main.isEmpty() || main.get().kinds().contains(name);
            byKind.add(new OperationTimes(name));
        }
    }

    /**
     * Reads the responses of a load, and writes the histogram log beside them.
     *
     * @param responses the directory of the queue
     * @param histograms the {@code .hlog} file to write
     * @param workload whose kinds have a row each; its foreground has one more row, and the timeline
     */
    static LoadSummary of(Path responses, Path histograms, Workload workload, double seconds) {
        LoadSummary summary = new LoadSummary(workload.kinds(), workload.foreground(), seconds);
        Attempt.to("write " + histograms, () -> {
            try (HistogramLog log = new HistogramLog(Files.newOutputStream(histograms), summary.kinds)) {
                Responses.read(
                        responses,
                        (segment, offset, length) -> log.add(
                                Response.answered(segment, offset),
                                summary.add(segment, offset),
                                Response.kind(segment, offset)));
            }
        });
        return summary;
    }

    /** As above, for several generators that shared a load; writes no histogram log. */
    static LoadSummary of(List<Path> responses, List<String> kinds, double seconds) {
        LoadSummary summary = new LoadSummary(kinds, Optional.empty(), seconds);
        responses.forEach(
                directory -> Responses.read(directory, (segment, offset, length) -> summary.add(segment, offset)));
        return summary;
    }

    /** Adds a response; returns its response time. */
    private long add(MemorySegment segment, long offset) {
        long intended = Response.intended(segment, offset);
        long answered = Response.answered(segment, offset);
        long late = Response.sent(segment, offset) - intended;
        int kind = Response.kind(segment, offset);
        for (OperationTimes times : timesOf(kind)) {
            times.add(answered - intended, late, Response.status(segment, offset), answered <= seconds * SECOND_NANOS);
            times.addParts(Response.waited(segment, offset), Response.served(segment, offset));
        }
        if (isForeground[kind]) {
            timeline.add(intended, answered - intended);
        }
        return answered - intended;
    }

    private List<OperationTimes> timesOf(int kind) {
        OperationTimes main = foreground;
        return main != null && isForeground[kind]
                ? List.of(all, main, byKind.get(kind))
                : List.of(all, byKind.get(kind));
    }

    /**
     * Returns the rows of a result: all requests, the foreground if there is also a background, and each kind if there
     * are several.
     */
    public List<Figures> operations() {
        List<Figures> rows = new ArrayList<>(List.of(all.row(seconds)));
        if (foreground != null) {
            rows.add(foreground.row(seconds));
        }
        if (kinds.size() > 1) {
            byKind.forEach(times -> rows.add(times.row(seconds)));
        }
        return rows;
    }

    /** Returns the response times interval by interval. */
    public List<Figures> timeline() {
        return timeline.rows();
    }

    /** Returns why the generator, not the target, determined the figures; null if it did not. */
    public @Nullable String invalidReason() {
        double late = all.latenessMicros(99);
        double response = all.micros(99);
        return late > LATE_P99_US && late > LATE_SHARE * response
                ? String.format(
                        Locale.ROOT,
                        "the generator was the bottleneck: at p99 it sent %.0f us late, of a response time of %.0f us",
                        late,
                        response)
                : null;
    }
}
