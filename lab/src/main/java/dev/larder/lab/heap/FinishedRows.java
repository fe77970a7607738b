package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Rows that an interrupted run of the same options and revision has left: what they tell is not measured again. */
final class FinishedRows {

    private static final int OPERATIONS = 3; // all, get, put

    private final List<Figures> samples;

    FinishedRows(List<Figures> samples) {
        this.samples = samples;
    }

    /** Returns the rows of a phase; none when they are not all there and valid: what was void may succeed now. */
    List<Figures> of(Candidate candidate, Phase phase) {
        Map<String, Figures> byOperation = new LinkedHashMap<>();
        samples.stream()
                .filter(row -> isOf(row, candidate, phase))
                .forEach(row -> byOperation.put(row.text("operation"), row));
        return byOperation.size() == OPERATIONS ? List.copyOf(byOperation.values()) : List.of();
    }

    private static boolean isOf(Figures row, Candidate candidate, Phase phase) {
        return candidate.subject().name().equals(row.get("subject"))
                && candidate.collector().toString().equals(row.get("collector"))
                && Objects.equals(candidate.liveBytes(), row.wholeOrNull("live_bytes"))
                && candidate.writesPercent() == row.number("writes_percent")
                && phase.toString().equals(row.get("phase"))
                && row.flag("valid");
    }
}
