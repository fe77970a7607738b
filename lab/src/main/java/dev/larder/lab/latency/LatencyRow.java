package dev.larder.lab.latency;

import dev.larder.lab.result.Figures;
import dev.larder.log.SyncPolicy;
import dev.larder.log.WaitStrategy;
import dev.larder.log.WaitStrategy.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One row of the experiment: how the queue is opened, and how its tailer waits. The first row is a queue as it is opened
 * without options; each further one changes one thing, and the last all that makes it faster.
 *
 * @param name on the command line and in the table
 * @param strategy by which the tailer waits
 * @param pinned whether the writer and the tailer have a processor each
 * @param locked whether what is prepared is locked in memory
 * @param sync of the queue
 * @param prepared whether space is prepared ahead of the tail
 * @param ratePerSecond of messages
 */
record LatencyRow(
        String name,
        WaitStrategy strategy,
        boolean pinned,
        boolean locked,
        SyncPolicy sync,
        boolean prepared,
        double ratePerSecond) {

    /** The names of all rows, in order. */
    static final List<String> NAMES = List.of(
            "default",
            "busy-spin",
            "yield",
            "park",
            "pinned",
            "locked",
            "no-sync",
            "sync-every-append",
            "unprepared",
            "combined");

    private static final SyncPolicy EVERY_SECOND = SyncPolicy.every(Duration.ofSeconds(1));

    static List<LatencyRow> all(LatencyOptions options) {
        return NAMES.stream().map(name -> named(name, options)).toList();
    }

    private static LatencyRow named(String name, LatencyOptions options) {
        LatencyRow base =
                new LatencyRow(name, WaitStrategy.futex(), false, false, EVERY_SECOND, true, options.ratePerSecond());
        return switch (name) {
            case "default" -> base;
            case "busy-spin" -> base.waiting(WaitStrategy.busySpin());
            case "yield" -> base.waiting(WaitStrategy.yielding());
            case "park" -> base.waiting(WaitStrategy.parking(options.parkInterval()));
            case "pinned" -> base.keeping(true, false);
            case "locked" -> base.keeping(false, true);
            case "no-sync" -> base.syncing(SyncPolicy.none(), options.ratePerSecond());
            case "sync-every-append" -> base.syncing(SyncPolicy.everyAppend(), options.syncedRatePerSecond());
            case "unprepared" -> base.unprepared();
            case "combined" ->
                base.waiting(WaitStrategy.busySpin())
                        .keeping(true, true)
                        .syncing(SyncPolicy.none(), options.ratePerSecond());
            default -> throw new IllegalArgumentException("no row '" + name + "'");
        };
    }

    private LatencyRow waiting(WaitStrategy way) {
        return new LatencyRow(name, way, pinned, locked, sync, prepared, ratePerSecond);
    }

    private LatencyRow keeping(boolean pin, boolean lock) {
        return new LatencyRow(name, strategy, pin, lock, sync, prepared, ratePerSecond);
    }

    private LatencyRow syncing(SyncPolicy policy, double rate) {
        return new LatencyRow(name, strategy, pinned, locked, policy, prepared, rate);
    }

    private LatencyRow unprepared() {
        return new LatencyRow(name, strategy, pinned, locked, sync, false, ratePerSecond);
    }

    /**
     * How many processors it takes so that nobody waits for one: the sender has its own, since it spins towards each
     * moment; so has the tailer; and where the tailer never sleeps, there must be one for everything else.
     */
    int processorsWanted() {
        return strategy.kind() == Kind.BUSY_SPIN || strategy.kind() == Kind.YIELD ? 3 : 2;
    }

    /** Returns the row as it stands in a result, and as the children are told. */
    Figures figures() {
        return new Figures()
                .put("name", name)
                .put("wait", strategy.kind().name().toLowerCase(Locale.ROOT))
                .put(
                        "park_us",
                        strategy.kind() == Kind.PARK ? strategy.interval().toNanos() / 1e3 : null)
                .put("pinned", pinned)
                .put("locked", locked)
                .put("sync", syncWord())
                .put("prepared", prepared)
                .put("rate_per_s", ratePerSecond);
    }

    private String syncWord() {
        return switch (sync.kind()) {
            case NONE -> "none";
            case INTERVAL -> "interval";
            case EVERY_APPEND -> "append";
        };
    }

    /** Returns the sync policy that {@link #figures} name. */
    static SyncPolicy sync(Figures row) {
        return switch (row.text("sync")) {
            case "none" -> SyncPolicy.none();
            case "interval" -> EVERY_SECOND;
            default -> SyncPolicy.everyAppend();
        };
    }

    /** Returns the wait strategy that {@link #figures} name. */
    static WaitStrategy strategy(Figures row) {
        return switch (Kind.valueOf(row.text("wait").toUpperCase(Locale.ROOT))) {
            case BUSY_SPIN -> WaitStrategy.busySpin();
            case YIELD -> WaitStrategy.yielding();
            case FUTEX -> WaitStrategy.futex();
            case PARK -> WaitStrategy.parking(Duration.ofNanos((long) (row.number("park_us") * 1e3)));
        };
    }
}
