package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.load.RunRows;
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
        if (all.whole("errors") > 0) {
            return RunRows.failure(load);
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
        return RunRows.invalidReason(
                rows, (row, measured) -> Phase.STEADY.toString().equals(row.get("phase")) || row.number("errors") > 0);
    }
}
