package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.WaitStrategy;
import java.time.Duration;
import java.util.List;

/**
 * One row of the experiment: the options of the queue, and how its tailer waits. The first row is a queue without
 * options; each further one changes one thing, and the last combines what makes it faster.
 *
 * @param name on the command line and in the table
 * @param figures for the result, and for the children
 */
record LatencyRow(String name, Figures figures) {

    /** The names of all rows, in order. */
    static final List<String> NAMES =
            Rows.names("default busy-spin yield park pinned locked huge-pages unprepared no-sync sync-every-append "
                    + "no-early-writeback checked combined");

    static List<LatencyRow> all(LatencyOptions options) {
        return NAMES.stream()
                .map(name -> new LatencyRow(name, named(name, options)))
                .toList();
    }

    private static Figures named(String name, LatencyOptions options) {
        Figures row = new Figures()
                .put("name", name)
                .put("wait", "futex")
                .put("park_us", null)
                .put("pinned", false)
                .put("locked", false)
                .put("huge_pages", false)
                .put("prepared", true)
                .put("sync", "interval")
                .put("early_writeback", true)
                .put("checked", false)
                .put("rate_per_s", options.ratePerSecond());
        return switch (name) {
            case "default" -> row;
            case "busy-spin" -> row.put("wait", "busy_spin");
            case "yield" -> row.put("wait", "yield");
            case "park" ->
                row.put("wait", "park").put("park_us", options.parkInterval().toNanos() / 1e3);
            case "pinned" -> row.put("pinned", true);
            case "locked" -> row.put("locked", true);
            case "huge-pages" -> row.put("huge_pages", true);
            case "unprepared" -> row.put("prepared", false);
            case "no-sync" -> row.put("sync", "none");
            case "sync-every-append" -> row.put("sync", "append").put("rate_per_s", options.syncedRatePerSecond());
            case "no-early-writeback" -> row.put("early_writeback", false);
            case "checked" -> row.put("checked", true);
            case "combined" ->
                row.put("wait", "busy_spin")
                        .put("pinned", true)
                        .put("locked", true)
                        .put("sync", "none");
            default -> throw new IllegalArgumentException("no row '" + name + "'");
        };
    }

    /**
     * Returns how many processors prevent waits for one. The sender needs its own, since it spins towards each moment;
     * so does the tailer. If the tailer never sleeps, everything else needs one more.
     */
    int processorsWanted() {
        return List.of("busy_spin", "yield").contains(figures.text("wait")) ? 3 : 2;
    }

    /** Returns the queue's options for a row's {@link #figures}. */
    static LogOptions options(Figures row) {
        LogOptions options = LogOptions.defaults()
                .withSync(sync(row))
                .withDurability(durability -> durability.withEarlyWriteback(row.flag("early_writeback")))
                .withLayout(layout -> layout.withLockPages(row.flag("locked")).withHugePages(row.flag("huge_pages")));
        options = row.flag("checked") ? options.withIntegrity(IntegrityMode.RECORD) : options;
        return row.flag("prepared") ? options : options.withPrepareBytes(0);
    }

    private static SyncPolicy sync(Figures row) {
        return switch (row.text("sync")) {
            case "none" -> SyncPolicy.none();
            case "interval" -> SyncPolicy.every(Duration.ofSeconds(1));
            default -> SyncPolicy.everyAppend();
        };
    }

    /** Returns the wait strategy that {@link #figures} name. */
    static WaitStrategy strategy(Figures row) {
        return switch (row.text("wait")) {
            case "busy_spin" -> WaitStrategy.busySpin();
            case "yield" -> WaitStrategy.yielding();
            case "park" -> WaitStrategy.parking(Duration.ofNanos((long) (row.number("park_us") * 1e3)));
            default -> WaitStrategy.futex();
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
