package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.RunRows;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What has to hold for figures to mean anything. */
final class SearchChecks {

    private SearchChecks() {}

    /**
     * Returns why the load of a server proves nothing, apart from a generator that was late; null when it does.
     *
     * @param load as the conductor answered
     * @param documents that the index has, and must have after all updates
     * @param found that it has after the load
     */
    static @Nullable String invalidReason(Figures load, long documents, long found) {
        boolean isAnswered = load.rows("operations").getFirst().whole("errors") == 0;
        String failure = isAnswered && load.flag("saturated") ? null : RunRows.failure(load);
        if (failure != null) {
            return failure;
        }
        return found == documents
                ? null
                : "an update replaces a document, and yet there are " + found + " of them where there were "
                        + documents;
    }

    /**
     * Returns why a whole run proves nothing; null when everything that this machine can serve was measured, and no
     * answer was wrong.
     */
    static @Nullable String invalidReason(List<Figures> rows) {
        return RunRows.invalidReason(rows, SearchChecks::voidsTheRun);
    }

    /** A load for which the generator was late voids itself alone, where the same server has a valid one. */
    private static boolean voidsTheRun(Figures row, List<Figures> measured) {
        return !row.flag("generator_late")
                || measured.stream().noneMatch(other -> other.flag("valid") && isSameServer(row, other));
    }

    private static boolean isSameServer(Figures row, Figures other) {
        return Objects.equals(row.get("subject"), other.get("subject"))
                && Objects.equals(row.get("collector"), other.get("collector"));
    }
}
