package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/** Tells of a load whether its figures prove anything. */
final class LoadChecks {

    private LoadChecks() {}

    /** Returns why they do not: requests that failed or were never answered, an engine that says so; null when they do. */
    static @Nullable String invalidReason(Figures seen) {
        Figures all = seen.rows("operations").getFirst();
        long errors = all.whole("errors");
        long unanswered = all.whole("unanswered");
        if (errors > 0) {
            Object first = seen.get("first_error");
            return errors + " of " + all.get("requests") + " requests failed"
                    + (first == null ? "" : "; the first: " + first);
        }
        if (unanswered > 0) {
            return unanswered + " of " + all.get("requests") + " requests were never answered";
        }
        return seen.get("invalid_reason") instanceof String reason ? reason : null;
    }
}
