package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
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
 * @param memory how the space ahead of the tail is kept
 * @param disk what is done for durability beside the appends
 * @param ratePerSecond of messages
 */
record LatencyRow(String name, WaitStrategy strategy, boolean pinned, Memory memory, Disk disk, double ratePerSecond) {

    /** The names of all rows, in order. */
    static final List<String> NAMES =
            Rows.names("default busy-spin yield park pinned locked huge-pages unprepared no-sync sync-every-append "
                    + "no-early-writeback checked combined");

    private static final SyncPolicy EVERY_SECOND = SyncPolicy.every(Duration.ofSeconds(1));

    /**
     * How the space ahead of the tail is kept.
     *
     * @param prepared whether it is prepared
     * @param locked whether what is prepared is locked in memory
     * @param huge whether large pages are asked for
     */
    record Memory(boolean prepared, boolean locked, boolean huge) {}

    /**
     * What is done for durability beside the appends.
     *
     * @param sync of the queue
     * @param early whether write-back is started behind the writer
     * @param checked whether each record has a check of its own
     */
    record Disk(SyncPolicy sync, boolean early, boolean checked) {}

    static List<LatencyRow> all(LatencyOptions options) {
        return NAMES.stream().map(name -> named(name, options)).toList();
    }

    private static LatencyRow named(String name, LatencyOptions options) {
        LatencyRow base = new LatencyRow(
                name,
                WaitStrategy.futex(),
                false,
                new Memory(true, false, false),
                new Disk(EVERY_SECOND, true, false),
                options.ratePerSecond());
        return switch (name) {
            case "default" -> base;
            case "busy-spin" -> base.waiting(WaitStrategy.busySpin());
            case "yield" -> base.waiting(WaitStrategy.yielding());
            case "park" -> base.waiting(WaitStrategy.parking(options.parkInterval()));
            case "pinned" -> base.pinned(true);
            case "locked" -> base.with(new Memory(true, true, false));
            case "huge-pages" -> base.with(new Memory(true, false, true));
            case "unprepared" -> base.with(new Memory(false, false, false));
            case "no-sync" -> base.with(new Disk(SyncPolicy.none(), true, false));
            case "sync-every-append" ->
                base.with(new Disk(SyncPolicy.everyAppend(), true, false)).at(options.syncedRatePerSecond());
            case "no-early-writeback" -> base.with(new Disk(EVERY_SECOND, false, false));
            case "checked" -> base.with(new Disk(EVERY_SECOND, true, true));
            case "combined" ->
                base.waiting(WaitStrategy.busySpin())
                        .pinned(true)
                        .with(new Memory(true, true, false))
                        .with(new Disk(SyncPolicy.none(), true, false));
            default -> throw new IllegalArgumentException("no row '" + name + "'");
        };
    }

    private LatencyRow waiting(WaitStrategy way) {
        return new LatencyRow(name, way, pinned, memory, disk, ratePerSecond);
    }

    private LatencyRow pinned(boolean pin) {
        return new LatencyRow(name, strategy, pin, memory, disk, ratePerSecond);
    }

    private LatencyRow with(Memory ahead) {
        return new LatencyRow(name, strategy, pinned, ahead, disk, ratePerSecond);
    }

    private LatencyRow with(Disk beside) {
        return new LatencyRow(name, strategy, pinned, memory, beside, ratePerSecond);
    }

    private LatencyRow at(double rate) {
        return new LatencyRow(name, strategy, pinned, memory, disk, rate);
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
                .put("locked", memory.locked())
                .put("huge_pages", memory.huge())
                .put("prepared", memory.prepared())
                .put("sync", syncWord())
                .put("early_writeback", disk.early())
                .put("checked", disk.checked())
                .put("rate_per_s", ratePerSecond);
    }

    private String syncWord() {
        return switch (disk.sync().kind()) {
            case NONE -> "none";
            case INTERVAL -> "interval";
            case EVERY_APPEND -> "append";
        };
    }

    /** Returns how a queue is opened for a row that {@link #figures} tell of. */
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

    @Override
    public String toString() {
        return name;
    }
}
