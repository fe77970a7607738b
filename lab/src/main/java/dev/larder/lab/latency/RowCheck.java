package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The checks of a row: its figures measure the queue, and the queue kept its promises. */
final class RowCheck {

    /** A send later than this by the sender's own fault counts as late. */
    static final long LATE_NANOS = 200_000;

    private static final double LATE_P99_US = LATE_NANOS / 1e3;

    private RowCheck() {}

    /** Returns why a row makes the whole run void: lost or misordered messages, or clocks that differ. */
    static @Nullable String invalidReason(Figures row) {
        if (row.has("skipped_reason")) {
            return null;
        }
        String name = "row " + row.get("name") + ": ";
        if (!row.flag("clocks_comparable")) {
            return name + "System.nanoTime() of the processes cannot be compared here";
        }
        if (row.wholeOrNull("lost") == null || row.whole("lost") != 0) {
            return name + row.get("received") + " of " + row.get("sent") + " messages arrived";
        }
        if (row.whole("out_of_order") != 0) {
            return name + row.get("out_of_order") + " messages arrived out of order";
        }
        if (row.whole("before_their_time") != 0) {
            return name + row.get("before_their_time") + " messages arrived before they were sent";
        }
        return null;
    }

    /** Returns why a row's figures do not measure the queue; null if they do. */
    static @Nullable String voidReason(Figures row) {
        double late = row.part("sender_late").number("p99_us");
        if (row.whole("messages") == 0) {
            return "nothing was measured: the queue fell behind while it warmed up";
        }
        return late > LATE_P99_US
                ? String.format(
                        Locale.ROOT, "the sender itself was late: p99 %.0f us, bound %.0f us", late, LATE_P99_US)
                : null;
    }
}
