package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.Progress;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.report.Column;
import dev.larder.lab.result.Rows;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a {@link Conductor} as rows of a result's {@code runs}: one for all requests, then one for each kind.
 *
 * <p>A row begins with its key ({@code subject}, {@code collector} and whatever else distinguishes rows), and continues
 * with the response times. It ends with the cost of the load, the same in each row: pauses, processors and memory of the
 * process. Only the first row has {@code timeline}, {@code pauses} and {@code hiccups}.
 */
public final class RunRows {

    private static final List<String> COSTS =
            Rows.names("longest_pause_ms longest_safepoint_ms longest_stall_ms gc_count cpu_cores busy_processors "
                    + "memory_bytes anonymous_bytes shared_memory_bytes file_bytes saturated steal_percent");
    private static final List<String> COURSES = List.of("timeline", "pauses", "hiccups");
    private static final String PERCENTILES = "percentiles";

    private RunRows() {}

    /**
     * Returns the rows of a load.
     *
     * @param subject the key of the rows
     * @param load the answer of {@link Conductor#load}
     * @param invalidReason why the caller's own checks void the figures; null if they held
     */
    public static List<Figures> of(Figures subject, Figures load, @Nullable String invalidReason) {
        List<Figures> rows = new ArrayList<>();
        String late = load.get("invalid_reason") instanceof String text ? text : null;
        String reason = invalidReason == null ? late : invalidReason;
        for (Figures operation : load.rows("operations")) {
            Figures row = new Figures().putAll(subject);
            copy("rate_per_s", load, row);
            row.putAll(without(operation, PERCENTILES));
            COSTS.forEach(name -> copy(name, load, row));
            row.put("valid", reason == null).put("invalid_reason", reason).put("disturbed", isDisturbed(load));
            copy(PERCENTILES, operation, row);
            if (rows.isEmpty()) {
                COURSES.forEach(name -> copy(name, load, row));
            }
            rows.add(row);
        }
        return rows;
    }

    /** Reports that something was skipped, or failed; returns a row that says so. */
    public static Figures notMeasured(Progress progress, String title, Figures subject, LarderException why) {
        String word = why instanceof SkippedException ? "skipped" : "failed";
        progress.line(word + " " + title + ": " + why.getMessage());
        return notMeasured(subject, word + "_reason", why.getMessage());
    }

    /** Returns the row of a subject that was not measured, with the reason under the given name. */
    public static Figures notMeasured(Figures subject, String name, @Nullable String reason) {
        return new Figures()
                .putAll(subject)
                .put("operation", "all")
                .put(name, reason)
                .put("valid", false);
    }

    /** Returns why a load's requests prove nothing: they failed, or were never answered; null if all is well. */
    public static @Nullable String failure(Figures load) {
        Figures all = load.rows("operations").getFirst();
        Object first = load.get("first_error");
        if (all.whole("errors") > 0) {
            return all.whole("errors") + " of " + all.whole("requests") + " requests failed, or got a wrong answer"
                    + (first == null ? "" : "; the first: " + first);
        }
        return all.whole("unanswered") > 0
                ? all.whole("unanswered") + " of " + all.whole("requests") + " requests got no answer"
                : null;
    }

    /**
     * Returns whether the machine delayed a load: its generator had a hiccup, or the hypervisor gave the processors to
     * others. Hiccups of the target do not count: its own pauses cause them.
     */
    static boolean isDisturbed(Figures load) {
        return load.number("steal_percent") > HiccupRecorder.STEAL_PERCENT
                || load.rows("hiccups").stream()
                        .anyMatch(hiccup -> "generator".equals(hiccup.get("process"))
                                && hiccup.number("ms") >= HiccupRecorder.HICCUP_MS);
    }

    /**
     * Returns why a whole run is void; null if everything that this machine can start was measured, and no row voids the
     * run.
     *
     * @param voids whether a row, among the measured ones, voids the run and not only itself
     */
    public static @Nullable String invalidReason(List<Figures> rows, BiPredicate<Figures, List<Figures>> voids) {
        List<Figures> measured =
                rows.stream().filter(row -> !row.has("skipped_reason")).toList();
        if (measured.isEmpty()) {
            return "nothing could be measured: "
                    + rows.stream()
                            .map(row -> row.get("skipped_reason"))
                            .distinct()
                            .toList();
        }
        return measured.stream()
                .filter(row -> !row.flag("valid") && (row.has("failed_reason") || voids.test(row, measured)))
                .map(row -> name(row) + ": "
                        + (row.has("failed_reason") ? row.get("failed_reason") : row.get("invalid_reason")))
                .findFirst()
                .orElse(null);
    }

    private static String name(Figures row) {
        return Stream.of("subject", "collector", "share", "phase")
                .map(row::get)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }

    /** Returns the response times of a row in one line. */
    static String words(Figures row) {
        return "p50 " + Column.text(row, "p50_us") + ", p99 " + Column.text(row, "p99_us") + ", max "
                + Column.text(row, "max_us");
    }

    private static void copy(String name, Figures from, Figures to) {
        if (from.has(name)) {
            to.put(name, from.get(name));
        }
    }

    private static Figures without(Figures figures, String left) {
        Figures rest = new Figures();
        figures.names().stream().filter(name -> !name.equals(left)).forEach(name -> rest.put(name, figures.get(name)));
        return rest;
    }
}
