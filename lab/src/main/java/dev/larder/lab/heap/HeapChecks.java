package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What has to hold for figures to mean anything. */
final class HeapChecks {

    private HeapChecks() {}

    /**
     * Returns why the load of one phase proves nothing, apart from a generator that was late; null when it does.
     *
     * @param load as the conductor answered
     */
    static @Nullable String invalidReason(Figures load) {
        Figures all = load.rows("operations").getFirst();
        long errors = all.whole("errors");
        if (errors > 0) {
            return errors + " of " + all.whole("requests")
                    + " requests failed, or found something else than what was put";
        }
        double answered = all.number("requests") - all.number("unanswered");
        double garbage = load.number("allocated_bytes") / answered;
        return garbage < HeapService.OBJECT_BYTES
                ? String.format(
                        Locale.ROOT,
                        "a request made %.0f bytes of garbage, not the %d that it should",
                        garbage,
                        HeapService.OBJECT_BYTES)
                : null;
    }

    /**
     * Returns why a whole run proves nothing; null when every candidate that this machine can start was measured, has a
     * valid steady phase, and never gave a wrong answer. A generator that was late in a refresh voids that row alone.
     */
    static @Nullable String invalidReason(List<Figures> rows) {
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
                .filter(HeapChecks::voidsTheRun)
                .map(row -> name(row) + ": "
                        + (row.has("failed_reason") ? row.get("failed_reason") : row.get("invalid_reason")))
                .findFirst()
                .orElse(null);
    }

    private static boolean voidsTheRun(Figures row) {
        return !row.flag("valid")
                && (row.has("failed_reason")
                        || Phase.STEADY.toString().equals(row.get("phase"))
                        || row.number("errors") > 0);
    }

    private static String name(Figures row) {
        return row.get("subject") + ", " + row.get("collector")
                + (row.has("share") ? ", " + row.get("share") : "")
                + (row.get("phase") == null ? "" : ", " + row.get("phase"));
    }
}
