package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows as they stand in a result: {@code configurations}, how each was set and whether it counts, and {@code runs},
 * the times of each, as other experiments have them.
 */
final class LatencyResult {

    /** The times of a row: of an append from its moment on, of the call alone, and of the way to the tailer. */
    static final List<String> OPERATIONS = List.of("append", "append_call", "to_tailer");

    private LatencyResult() {}

    static Figures figures(List<Figures> rows) {
        List<Figures> runs = new ArrayList<>();
        rows.stream()
                .filter(row -> !row.has("skipped_reason"))
                .forEach(row -> OPERATIONS.forEach(operation -> runs.add(run(row, operation))));
        return new Figures()
                .put("late_bound_us", RowCheck.LATE_NANOS / 1e3)
                .put(
                        "configurations",
                        rows.stream().map(LatencyResult::configuration).toList())
                .put("runs", runs);
    }

    private static Figures configuration(Figures row) {
        Figures configuration = new Figures();
        row.names().stream()
                .filter(name -> !OPERATIONS.contains(name))
                .forEach(name -> configuration.put(name, row.get(name)));
        return configuration;
    }

    private static Figures run(Figures row, String operation) {
        return new Figures()
                .put("subject", row.get("name"))
                .put("operation", operation)
                .put("offered_per_s", row.get("rate_per_s"))
                .put("cpu_cores", row.get(operation.equals("to_tailer") ? "tailer_cores" : "writer_cores"))
                .put("late_sends", row.get("late_sends"))
                .put("valid", row.flag("valid"))
                .putAll(row.part(operation));
    }

    /** Returns the times of a row of a result; empty ones where there are none. */
    static Figures run(Figures result, String name, String operation) {
        return result.rows("runs").stream()
                .filter(run -> name.equals(run.get("subject")) && operation.equals(run.get("operation")))
                .findFirst()
                .orElseGet(Figures::new);
    }
}
