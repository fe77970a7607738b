package dev.larder.lab.load;

import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.result.Figures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a load has shown as rows of {@code runs} in a result: one for all its requests, and one for each kind of request.
 *
 * <p>What belongs to the load as a whole stands in every row ({@code valid}, {@code disturbed}, {@code cpu_cores}, ...);
 * what would only be repeated stands in the row of all requests alone ({@code timeline}, {@code pauses}, ...).
 */
public final class LoadRows {

    private static final List<String> OF_THE_WHOLE =
            List.of("longest_pause_ms", "longest_safepoint_ms", "longest_stall_ms", "cpu_cores");
    private static final List<String> OF_ALL_REQUESTS =
            List.of("backlog_growth", "backlog_max", "stopped", "first_error", "directory");
    private static final List<String> LISTS = List.of("timeline", "pauses", "hiccups");

    private LoadRows() {}

    /**
     * Returns the rows of one load.
     *
     * @param subject what was under load, such as {@code redis}
     * @param collector of the subject's JVM; null where there is none
     * @param seen what {@link Conductor#load} answered; {@code memory_bytes} may be added, else it is the resident memory
     */
    public static List<Figures> of(String subject, @Nullable String collector, Figures seen) {
        List<Figures> rows = new ArrayList<>();
        for (Figures operation : seen.rows("operations")) {
            Figures row = new Figures()
                    .put("subject", subject)
                    .put("collector", collector)
                    .put("operation", operation.get("operation"))
                    .put("rate_per_s", seen.get("rate_per_s"))
                    .putAll(operation)
                    .putAll(whole(seen));
            rows.add(rows.isEmpty() ? row.putAll(ofAllRequests(seen)) : row);
        }
        return rows;
    }

    private static Figures whole(Figures seen) {
        Figures whole = taken(seen, OF_THE_WHOLE);
        String reason = invalidReason(seen);
        double hiccup = longestHiccupMillis(seen);
        return whole.put("memory_bytes", seen.get(seen.has("memory_bytes") ? "memory_bytes" : "res_bytes"))
                .put("longest_hiccup_ms", hiccup)
                .put("saturated", seen.flag("saturated"))
                .put("valid", reason == null)
                .put("invalid_reason", reason)
                .put("disturbed", hiccup >= HiccupRecorder.HICCUP_MS);
    }

    private static Figures ofAllRequests(Figures seen) {
        return taken(seen, OF_ALL_REQUESTS).putAll(taken(seen, LISTS));
    }

    private static Figures taken(Figures from, List<String> names) {
        Figures taken = new Figures();
        names.forEach(name -> taken.put(name, from.get(name)));
        return taken;
    }

    private static double longestHiccupMillis(Figures seen) {
        return seen.rows("hiccups").stream()
                .mapToDouble(hiccup -> hiccup.number("ms"))
                .max()
                .orElse(0);
    }

    /** Returns why a load proves nothing: an error, a missing answer, a generator that was late; null if it does. */
    public static @Nullable String invalidReason(Figures seen) {
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
