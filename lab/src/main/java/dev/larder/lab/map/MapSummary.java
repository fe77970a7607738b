package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rounds of a run as one row for each subject, size, operation and number of threads. */
final class MapSummary {

    static final List<String> OF_OPERATION = List.of(
            "answered_per_s",
            "p50_us",
            "p90_us",
            "p99_us",
            "p999_us",
            "time_over_plain",
            "p50_over_plain",
            "time_over_larder",
            "cpu_cores",
            "written_for_one",
            "least_for_one",
            "alive_of_used",
            "alive_of_files",
            "entries_start",
            "entries_end",
            "safepoints",
            "safepoint_p50_us",
            "safepoint_p99_us",
            "safepoint_p999_us",
            "safepoint_max_us");
    static final List<String> OF_LOAD = List.of(
            "load_per_s",
            "sync_ms",
            "memory_bytes",
            "heap_bytes",
            "outside_bytes",
            "cached_file_bytes",
            "overhead_bytes_per_entry",
            "entries_end",
            "memory_end_bytes",
            "overhead_end_bytes_per_entry",
            "close_ms",
            "reopen_ms");

    private MapSummary() {}

    /** Returns medians, minima and maxima over rounds of figures of rows that are the same by their keys. */
    static List<Figures> rows(List<Figures> rounds, List<String> keys, List<String> names) {
        Map<List<Object>, List<Figures>> groups = new LinkedHashMap<>();
        for (Figures round : rounds) {
            List<Object> key = new ArrayList<>();
            keys.forEach(name -> key.add(String.valueOf(round.get(name))));
            groups.computeIfAbsent(key, unknown -> new ArrayList<>()).add(round);
        }
        return groups.values().stream().map(group -> row(group, keys, names)).toList();
    }

    private static Figures row(List<Figures> group, List<String> keys, List<String> names) {
        Figures row = new Figures();
        keys.forEach(name -> row.put(name, group.getFirst().get(name)));
        row.put("rounds", group.size());
        for (String name : names) {
            List<Double> values = group.stream()
                    .map(round -> round.number(name))
                    .filter(Double::isFinite)
                    .toList();
            Sample sample = new Sample(values);
            row.put(name, values.isEmpty() ? null : sample.median());
            row.put(name + "_min", values.isEmpty() ? null : sample.min());
            row.put(name + "_max", values.isEmpty() ? null : sample.max());
        }
        return row.put(
                "errors",
                group.stream()
                        .filter(round -> round.has("errors"))
                        .mapToLong(round -> round.whole("errors"))
                        .sum());
    }

    /** Adds to each run how its time is to that of Larder in the same round. */
    static void compareWithLarder(List<Figures> runs) {
        Map<List<Object>, Double> larder = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> run.text("subject").equals(MapKind.LARDER))
                .forEach(run -> larder.put(place(run), run.number("answered_per_s")));
        runs.forEach(run -> {
            Double ours = larder.get(place(run));
            run.put("time_over_larder", ours == null ? null : ours / run.number("answered_per_s"));
        });
    }

    private static List<Object> place(Figures run) {
        return List.of(run.text("shape"), run.whole("round"), run.text("operation"), run.whole("threads"));
    }
}
