package dev.larder.lab.compare;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadCharts;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run under a load, of one of the compared results. */
record ComparedRun(ComparedResult from, Figures row) {

    /** Two loads are the same if they differ by no more than this share: random arrivals are never quite at their rate. */
    private static final double SAME_LOAD = 0.05;

    static List<ComparedRun> of(ComparedResult result) {
        return result.result().rows("runs").stream()
                .map(row -> new ComparedRun(result, row))
                .filter(run -> Double.isFinite(run.load()))
                .toList();
    }

    /** Returns the rate that was asked for, or else the one that came about. */
    double load() {
        return LoadCharts.rate(row);
    }

    boolean isAt(double load) {
        return Math.abs(load() - load) <= SAME_LOAD * Math.max(load(), load);
    }

    boolean isOf(ComparedResult result) {
        return from.name().equals(result.name());
    }

    String operation() {
        return row.text("operation");
    }

    /**
     * Returns what was configured: the subject, and the collector, the bytes of its data, the share of puts and the phase where
     * it has them.
     */
    String configuration() {
        Stream<String> names = Stream.of("subject", "collector")
                .map(row::get)
                .filter(String.class::isInstance)
                .map(String.class::cast);
        Stream<String> bytes = Stream.ofNullable(row.wholeOrNull("live_bytes")).map(ByteSize::format);
        Stream<String> phase = Stream.of("share", "phase")
                .map(row::get)
                .filter(Objects::nonNull)
                .map(String::valueOf);
        return Stream.of(names, bytes, phase).flatMap(each -> each).collect(Collectors.joining(", "));
    }

    /** Returns the name of the curve that the run belongs to. */
    String curve() {
        return from.name() + (configuration().isEmpty() ? "" : ": " + configuration());
    }

    boolean isVoid() {
        return !row.flag("valid");
    }

    boolean isDisturbed() {
        return row.flag("disturbed");
    }

    String markedCurve() {
        return curve() + (isVoid() ? " (void)" : isDisturbed() ? " (disturbed)" : "");
    }

    boolean hasPercentiles() {
        return row.get("percentiles") instanceof List<?> list && !list.isEmpty();
    }
}
