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
 * What a load has shown, from its responses: they are read once, in the order in which they were kept, and however many
 * there are, the memory this takes is that of some histograms.
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
     */
    public static LoadSummary of(Path responses, Path histograms, List<String> kinds, double seconds) {
        return read(new LoadSummary(kinds, Optional.empty(), seconds), responses, histograms);
    }

    /** As above, for the kinds of a workload; what is in its foreground has a row of its own, and the timeline. */
    static LoadSummary of(Path responses, Path histograms, Workload workload, double seconds) {
        return read(new LoadSummary(workload.kinds(), workload.foreground(), seconds), responses, histograms);
    }

    /** As above, of several generators that have sent a load together; no histogram log is written. */
    static LoadSummary of(List<Path> responses, List<String> kinds, double seconds) {
        LoadSummary summary = new LoadSummary(kinds, Optional.empty(), seconds);
        responses.forEach(directory -> Responses.read(directory, (segment, offset, length) -> {
            long response = Response.answered(segment, offset) - Response.intended(segment, offset);
            summary.add(segment, offset, response, Response.kind(segment, offset));
        }));
        return summary;
    }

    private static LoadSummary read(LoadSummary summary, Path responses, Path histograms) {
        Attempt.to("write " + histograms, () -> {
            try (HistogramLog log = new HistogramLog(Files.newOutputStream(histograms), summary.kinds)) {
                Responses.read(responses, (segment, offset, length) -> {
                    long answered = Response.answered(segment, offset);
                    long response = answered - Response.intended(segment, offset);
                    int kind = Response.kind(segment, offset);
                    summary.add(segment, offset, response, kind);
                    log.add(answered, response, kind);
                });
            }
        });
        return summary;
    }

    private void add(MemorySegment segment, long offset, long response, int kind) {
        long intended = Response.intended(segment, offset);
        long late = Response.sent(segment, offset) - intended;
        int status = Response.status(segment, offset);
        boolean within = Response.answered(segment, offset) <= seconds * SECOND_NANOS;
        for (OperationTimes times : timesOf(kind)) {
            times.add(response, late, status, within);
            times.addParts(Response.waited(segment, offset), Response.served(segment, offset));
        }
        if (isForeground[kind]) {
            timeline.add(intended, response);
        }
    }

    private List<OperationTimes> timesOf(int kind) {
        OperationTimes main = foreground;
        return main != null && isForeground[kind]
                ? List.of(all, main, byKind.get(kind))
                : List.of(all, byKind.get(kind));
    }

    /**
     * Returns the rows of a result: all requests, those in the foreground where others are not, and then each kind of
     * which there is more than one.
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

    /** Returns why the generator, not the target, has made these figures; null when it has not. */
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
