package dev.larder.log.background;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.layer.Duty;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.retain.Dropping;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.LogFailure;
import dev.larder.log.sync.Syncer;
import dev.larder.log.write.AppendRate;
import dev.larder.log.write.AppendStatistics;
import dev.larder.log.write.Writer;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The background task of a log that is open for writing: a list of duties, each of which may be late without harm.
 *
 * <pre>
 * count       how much was appended since the last round
 * sync        at the policy's interval; also what a killed process has left
 * follow      to the tail segment; finish seals and writes back the one that is left
 * unmap       dropped segments, and descriptors that are no longer needed
 * prepare     the next segment
 * unlock      pages behind the tail
 * move        idle appenders to the tail: each pins the segment in which it stands
 * drop        segments that the retention lets go
 * prepare     once more: from a file that was just dropped
 * write back  behind the tail
 * publish     the counters
 * populate    pages ahead of the tail, while no writer is saturated
 * </pre>
 *
 * <p>Each duty has a guard of its own ({@link Duty}): where one fails, all others continue. Sync comes first, since nothing
 * else does its work; writers can do without the others.
 *
 * <p>The task sleeps once there is nothing to do; the first append after that wakes it ({@link #appended}). If the policy
 * syncs at an interval, the sleeping task checks whether a killed process has left something ({@link IntervalSync}). Once any
 * process has failed the log, the task stops the appenders of this process, and does nothing from then on.
 */
public final class Maintenance {

    /** The bytes that a writer appends between two signals. */
    public static final long STRIDE_BYTES = 16L << 20;

    /** The size of a segment below which making it takes no time. */
    private static final long QUICK_MIN_BYTES = 4L << 20;

    private static final long ACTIVE_TICK_NANOS = 20_000_000;
    private static final long ACTIVE_NANOS = 60_000_000;
    private static final long PUBLISH_NANOS = 100_000_000;
    private static final long DROP_NANOS = 1_000_000_000;
    private static final String START = "background.start";
    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final Path directory;
    private final LogOptions options;
    private final Storage storage;
    private final Failpoints steps;
    private final Segments segments;
    private final ControlFile control;
    private final LogFailure failure;
    private final LockFile locks;
    private final AppendStatistics traffic;
    private final Preparation preparation;
    private final LockedPages locked;
    private final Dropping dropping;
    private final CountersFile counters;
    private final BackgroundTask task;
    private final AppendRate appetite;
    private final BackgroundLane lane;
    private final IntervalSync intervalSync;
    private final WriteBehind writeBehind;

    /** The duties of each round before the last one, in order. */
    private final List<Duty> duties;

    private final Duty finish;
    private final Duty publish;
    private final Duty populate;
    private final Duty round;

    private long now;
    private long seenBytes;
    private long lastProgressNanos;
    private long lastPublishNanos;
    private long lastDropNanos;
    private int droppedFor = -1;
    private int trimmedFor;

    /** Whether the tail has moved since there was nothing to do: it will move again soon. */
    private boolean rolling;

    private volatile boolean dormant;

    public Maintenance(
            Path directory,
            LogOptions options,
            Segments segments,
            ControlFile control,
            LogFailure failure,
            LockFile locks,
            Syncer syncer,
            AppendStatistics traffic,
            Preparation preparation,
            LockedPages locked,
            Dropping dropping,
            CountersFile counters,
            Runnable present) {
        this.directory = directory;
        this.options = options;
        this.storage = HookedOptions.storage(options);
        this.steps = HookedOptions.of(options).failpoints();
        this.segments = segments;
        this.control = control;
        this.failure = failure;
        this.locks = locks;
        this.traffic = traffic;
        this.preparation = preparation;
        this.locked = locked;
        this.dropping = dropping;
        this.counters = counters;
        this.intervalSync = new IntervalSync(options.durability().sync(), syncer, control, storage, present);
        this.writeBehind = new WriteBehind(options, control, syncer, locked, counters);
        this.appetite = new AppendRate(storage.nanoTime());
        this.round = new Duty(directory + ": background work", LOGGER);
        this.finish = duty("finish", this::finishSegment);
        this.publish = duty("publish", this::publishIfDue);
        this.populate = duty("populate", this::populateStep);
        this.duties = duties();
        this.task = new BackgroundTask(round, this::workOnce, this::look, intervalSync.lookNanos());
        this.lane = new BackgroundLane(segments, control);
        this.trimmedFor = lane.segment().number;
        beginWriteBehind();
    }

    private List<Duty> duties() {
        Duty prepare = duty("prepare", this::prepareNext);
        return List.of(
                duty("count", this::count),
                duty("sync", this::sync),
                duty("follow", this::follow),
                duty("unmap", this::unmap),
                prepare,
                duty("unlock", this::unlockBehind),
                duty("move", this::moveIdleAppenders),
                duty("drop", this::drop),
                prepare,
                duty("writeback", this::writeBack),
                publish);
    }

    private Duty duty(String name, BooleanSupplier work) {
        String point = "background." + name;
        return new Duty(directory + ": background " + name, LOGGER, () -> {
            try {
                steps.reached(point);
                boolean done = work.getAsBoolean();
                AccessErrors.deliver();
                return done;
            } catch (InternalError e) {
                throw failure.storeFailed(e);
            }
        });
    }

    /** Starts the task. Where no thread can be started for it, undoes all it did. */
    public void start() {
        try {
            steps.reached(START);
            task.start();
        } catch (RuntimeException | Error e) {
            lane.end();
            throw e;
        }
    }

    /** Wakes the task after a writer has appended a stride, or rolled. */
    public void signal() {
        task.wake();
    }

    /** Wakes the task after an append, if it sleeps; costs a load while it is awake. */
    public void appended() {
        if (dormant) {
            dormant = false;
            task.wake();
        }
    }

    /** Does what is due, and returns the nanoseconds until the next round. */
    private long workOnce() {
        now = storage.nanoTime();
        if (control.failedVolatile() != 0) {
            return BackgroundTask.UNTIL_WOKEN;
        }
        long nanos = work();
        round.succeeded();
        if (nanos > ACTIVE_TICK_NANOS) {
            leave(lane::leave);
        }
        return nanos;
    }

    /** Returns whether other processes have left something that no process syncs. Costs some loads. */
    private boolean look() {
        boolean left = control.failedVolatile() == 0 && intervalSync.look(storage.nanoTime(), lane::isEnd);
        AccessErrors.deliver();
        return left;
    }

    /** Gives up the pin, a word of the control file. Where that cannot be stored to, the pin ends with the process. */
    private void leave(Runnable step) {
        try {
            step.run();
            AccessErrors.deliver();
        } catch (RuntimeException | Error e) {
            round.failed(e);
        }
    }

    private long work() {
        for (Duty duty : duties) {
            duty.run(now);
        }
        if (populate.run(now)) {
            return 0;
        }
        return now - lastProgressNanos < ACTIVE_NANOS ? ACTIVE_TICK_NANOS : sleepNanos();
    }

    private boolean count() {
        long bytes = traffic.bytes();
        boolean progress = bytes != seenBytes;
        if (progress) {
            seenBytes = bytes;
            lastProgressNanos = now;
        }
        appetite.look(now, bytes);
        return true;
    }

    private boolean sync() {
        if (intervalSync.isLookDue(now, traffic.bytes())) {
            intervalSync.look(now, lane::isEnd);
        }
        return intervalSync.run(now, traffic.bytes());
    }

    /**
     * Moves the lane to the tail segment. Finishes each segment on the way, except on errors: a later sync seals it all the
     * same.
     */
    private boolean follow() {
        if (lane.comeBack()) {
            beginWriteBehind();
        }
        while (lane.isBehind()) {
            rolling = true;
            finish.run(now);
            lane.moveOn();
            writeBehind.begin(lane.segment(), lane.segment().head);
        }
        return true;
    }

    private void beginWriteBehind() {
        Segment segment = lane.segment();
        writeBehind.begin(segment, segment.hintAfter(segment.head));
    }

    private boolean finishSegment() {
        writeBehind.finish(lane.segment(), seenBytes > 0);
        return true;
    }

    /**
     * Returns whether drops are due: when the tail has moved, and each second, since age or another process may let a segment
     * go.
     */
    private boolean isDropDue() {
        return dropping.isDue() && (lane.segment().number != droppedFor || now - lastDropNanos >= DROP_NANOS);
    }

    /** Unmaps segments that other processes may have dropped. */
    private boolean unmap() {
        int number = lane.segment().number;
        boolean moved = number != trimmedFor;
        boolean dropDue = isDropDue();
        if (moved) {
            segments.mapped().trim(number);
            trimmedFor = number;
        } else if (dropDue) {
            segments.mapped().unmapDropped();
        }
        return moved || dropDue;
    }

    private boolean writeBack() {
        return lane.isStanding() && seenBytes > 0 && writeBehind.follow(lane.segment());
    }

    private boolean unlockBehind() {
        if (lane.isStanding()) {
            Segment segment = lane.segment();
            locked.releaseBehind(segment, segment.hintAfter(segment.head));
        }
        return lane.isStanding();
    }

    /**
     * Prepares segments: links the next one once a quarter of this one is used, so that an empty log keeps to one small file.
     * Small segments of a layer above are linked at once when the tail moves. A quarter of them is less than a stride, so no
     * writer would signal it. Where spare files are left, links the next two while no writer is saturated: clearing a file
     * takes as much memory bandwidth as filling it. It does not do so where the layer above drops, since that layer counts its
     * files.
     */
    private boolean prepareNext() {
        if (!lane.isStanding() || seenBytes == 0) {
            return false;
        }
        Segment segment = lane.segment();
        long used = segment.hintAfter(segment.head) - segment.head;
        boolean isSmall = segment.limit >= QUICK_MIN_BYTES && segment.limit < 4 * STRIDE_BYTES;
        boolean isQuick = rolling && isSmall && HookedOptions.of(options).linked();
        boolean isIdle = dropping.hasPolicy() && segments.making().hasSpare() && !appetite.isSaturated();
        boolean due = used > segment.limit / 4 || isIdle || isQuick;
        return due && alone(() -> segments.making().makeAhead(segment).ifPresent(next -> prepareBehind(next, isIdle)));
    }

    private void prepareBehind(Segment next, boolean isIdle) {
        try {
            if (isIdle) {
                segments.making().makeAheadOfSpare(next);
            }
        } finally {
            segments.release(next);
        }
    }

    /** Runs a step that one process runs for all, unless another process is running one. Returns whether it ran. */
    private boolean alone(Runnable step) {
        boolean mine = locks.tryLock(LockFile.MAINT);
        if (mine) {
            try {
                step.run();
            } finally {
                locks.unlock(LockFile.MAINT);
            }
        }
        return mine;
    }

    private boolean moveIdleAppenders() {
        boolean due = isDropDue();
        if (due) {
            traffic.writers().forEach(Writer::follow);
        }
        return due;
    }

    private boolean drop() {
        boolean due = isDropDue();
        if (due) {
            lastDropNanos = now;
            droppedFor = lane.segment().number;
            alone(dropping::drop);
            segments.mapped().unmapDropped();
        }
        return due;
    }

    private boolean publishIfDue() {
        boolean due = now - lastPublishNanos >= PUBLISH_NANOS;
        if (due) {
            lastPublishNanos = now;
            traffic.publish(counters);
        }
        return due;
    }

    private void publishNow() {
        lastPublishNanos = now - PUBLISH_NANOS;
        publish.run(now);
    }

    /**
     * Populates the next step ahead of the tail, unless that would race with a writer. Returns whether there may be more to
     * do.
     */
    private boolean populateStep() {
        long bytes = appetite.aheadBytes(aheadMaxBytes());
        return !appetite.isSaturated() && bytes > 0 && preparation.step(bytes);
    }

    /**
     * Returns the most bytes to prepare. A layer above that asks for small segments wants small files: at most one of them
     * ahead. A log that is kept to a size has at most two ahead: they come on top of that size.
     */
    private long aheadMaxBytes() {
        long most = options.layout().prepareBytes();
        long segmentBytes = lane.segment().limit;
        if (HookedOptions.of(options).linked()) {
            return Math.min(most, segmentBytes);
        }
        return dropping.keepsToASize() ? Math.min(most, 2 * segmentBytes) : most;
    }

    private long sleepNanos() {
        if (intervalSync.isPending(traffic.bytes())) {
            return Math.max(ACTIVE_TICK_NANOS / 20, intervalSync.dueNanos() - now);
        }
        publishNow();
        rolling = false;
        dormant = true;
        long longest = dropping.isDue() ? DROP_NANOS : BackgroundTask.UNTIL_WOKEN;
        return traffic.bytes() == seenBytes && !task.isStopped() ? longest : 0;
    }

    /** Stops the task, and publishes the last counts; not interruptible. */
    public void stop() {
        task.stop();
        publishNow();
        leave(lane::end);
    }
}
