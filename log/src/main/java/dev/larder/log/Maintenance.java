package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import dev.larder.log.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The background thread of a process that writes: it seals and writes back behind the tail, drops what may go, links
 * the next segment, brings space in ahead of the tail while no writer is saturated, syncs at the policy's pace, and
 * publishes the counters. All of it saves the writers work; if the thread is slow, they do without.
 *
 * <p>It sleeps for good once there is nothing to do; the first append after that wakes it ({@link #appended}).
 */
final class Maintenance implements Runnable {

    /** How far a writer goes between two signals. */
    static final long STRIDE_BYTES = 16L << 20;

    /** Smaller segments take no time to be made. */
    private static final long QUICK_MIN_BYTES = 4L << 20;

    private static final long ACTIVE_TICK_NANOS = 20_000_000;
    private static final long ACTIVE_NANOS = 60_000_000;
    private static final long PUBLISH_NANOS = 100_000_000;
    private static final long DROP_NANOS = 1_000_000_000;
    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final LogOptions options;
    private final Storage storage;
    private final Segments segments;
    private final ControlFile control;
    private final LockFile locks;
    private final Syncer syncer;
    private final Traffic traffic;
    private final Preparation preparation;
    private final LockedPages locked;
    private final Dropping dropping;
    private final LogCounters counters;
    private final BackgroundThread thread;
    private final Lane lane = new Lane();
    private final Appetite appetite;

    private Segment segment;
    private long writtenBack;
    private long seenBytes;
    private long syncedBytes;
    private long lastProgressNanos;
    private long lastSyncNanos;
    private long lastPublishNanos;
    private long lastDropNanos;
    private int droppedFor = -1;
    private boolean away = true;

    /** Whether the tail has moved since there was nothing to do: it will move again soon. */
    private boolean rolling;

    private volatile boolean dormant;

    Maintenance(
            LogOptions options,
            String name,
            Segments segments,
            ControlFile control,
            LockFile locks,
            Syncer syncer,
            Traffic traffic,
            Preparation preparation,
            LockedPages locked,
            Dropping dropping,
            LogCounters counters) {
        this.options = options;
        this.storage = options.storage();
        this.segments = segments;
        this.control = control;
        this.locks = locks;
        this.syncer = syncer;
        this.traffic = traffic;
        this.preparation = preparation;
        this.locked = locked;
        this.dropping = dropping;
        this.counters = counters;
        this.segment = segments.enterTail(lane);
        this.writtenBack = segment.hintAfter(segment.head);
        segments.leavePin(lane); // the thread may never be started
        this.lastSyncNanos = storage.nanoTime();
        this.appetite = new Appetite(lastSyncNanos);
        this.thread = new BackgroundThread("larder-log-" + name, this);
    }

    void start() {
        thread.start();
    }

    /** Tells that a writer has gone a stride, or rolled. */
    void signal() {
        thread.wake();
    }

    /** Tells that a record was appended; costs a load while the thread is awake. */
    void appended() {
        if (dormant) {
            dormant = false;
            thread.wake();
        }
    }

    @Override
    public void run() {
        while (!thread.isStopped()) {
            try {
                comeBack();
                long nanos = work();
                AccessErrors.deliver();
                rest(nanos);
            } catch (RuntimeException | Error e) {
                tell(e);
                LockSupport.parkNanos(PUBLISH_NANOS);
            }
        }
        publish();
        segments.leave(lane, segment);
    }

    /** Stands in no segment while it sleeps: a process that only reads would hold up the use of files by others. */
    private void rest(long nanos) {
        away = nanos > ACTIVE_TICK_NANOS;
        if (away) {
            segments.leavePin(lane);
        }
        LockSupport.parkNanos(nanos);
    }

    private void comeBack() {
        if (away) {
            Segment left = segment;
            segment = segments.comeBack(lane, left);
            writtenBack = segment == left ? writtenBack : segment.hintAfter(segment.head);
            away = false;
        }
    }

    /**
     * Says what has failed. Any error, also one of the JVM's: without this thread nothing would be synced any more, and
     * nobody would know. An error within a flush has failed the log before it gets here.
     */
    private static void tell(Throwable failed) {
        try {
            LOGGER.log(System.Logger.Level.WARNING, "background work on the log failed: " + failed, failed);
        } catch (RuntimeException | Error e) {
            // there is no memory to say so, and nobody to say it to: the work goes on
        }
    }

    /** Does what is due and returns how long there will be nothing to do. */
    private long work() {
        long now = storage.nanoTime();
        boolean progress = traffic.bytes() != seenBytes;
        if (progress) {
            seenBytes = traffic.bytes();
            lastProgressNanos = now;
        }
        appetite.look(now, seenBytes);
        follow();
        prepareNext();
        locked.releaseBehind(segment, segment.hintAfter(segment.head));
        dropIfDue(now);
        prepareNext();
        writeBack();
        syncIfDue(now);
        publishIfDue(now);
        if (populate()) {
            return 0;
        }
        return now - lastProgressNanos < ACTIVE_NANOS ? ACTIVE_TICK_NANOS : sleepNanos(now);
    }

    /** Moves to the tail segment. */
    private void follow() {
        while (segment.number < control.tailAcquire()) {
            rolling = true;
            locked.releaseUpTo(segment, segment.limit);
            finishWriteback();
            expectLooks(segment);
            segment = nextOrTail(segment);
            writtenBack = segment.head;
            segments.mapped().trim(segment.number);
        }
    }

    /** Records of a linked log are looked at by position once they are written, and not in their order. */
    private void expectLooks(Segment left) {
        if (options.doors().linked()) {
            left.expect(AccessOrder.RANDOM, storage);
        }
    }

    private Segment nextOrTail(Segment left) {
        return segments.enterNext(lane, left).orElseGet(() -> segments.rejoin(lane, left));
    }

    private void finishWriteback() {
        if (options.durability().earlyWriteback() && writtenBack < segment.limit && seenBytes > 0) {
            sealAndWriteBack(segment.hintAfter(segment.head));
        }
    }

    private void writeBack() {
        long end = segment.hintAfter(segment.head);
        if (options.durability().earlyWriteback() && end - writtenBack >= STRIDE_BYTES && seenBytes > 0) {
            sealAndWriteBack(end);
        }
    }

    private void sealAndWriteBack(long end) {
        locked.releaseUpTo(segment, end);
        segment.releasePageTables(writtenBack, end, storage);
        syncer.sealSettled();
        startWriteback(end);
    }

    private void startWriteback(long end) {
        StorageFile file = segment.file();
        if (file != null && end > writtenBack) {
            startWriteback(file, writtenBack, end - writtenBack);
            counters.add(Counter.WRITTEN_BACK_BYTES, end - writtenBack);
        }
        writtenBack = end;
    }

    /** A write-back that failed has left pages clean that were never written: no later flush may be believed. */
    private void startWriteback(StorageFile file, long offset, long length) {
        try {
            file.startWriteback(offset, length);
        } catch (StorageException | Error e) {
            control.failFlush();
            throw e;
        }
    }

    /**
     * Links the next segment once a quarter of this one is used: an empty log keeps to one small file. Small segments of a
     * layer above, of which a quarter is less than a stride, so that no writer would tell of it, at once when the tail moves
     * on. Where files are there that others left, the next two, as long as that is no race with a writer: clearing a file
     * takes as much memory bandwidth as filling it. Not where the layer above drops: it counts its files.
     */
    private void prepareNext() {
        long used = segment.hintAfter(segment.head) - segment.head;
        boolean isSmall = segment.limit >= QUICK_MIN_BYTES && segment.limit < 4 * STRIDE_BYTES;
        boolean isQuick = rolling && isSmall && options.doors().linked();
        boolean isIdle = dropping.hasPolicy() && segments.making().hasSpare() && !appetite.isSaturated();
        if ((used <= segment.limit / 4 && !isIdle && !isQuick) || seenBytes == 0 || !locks.tryLock(LockFile.MAINT)) {
            return;
        }
        try {
            Optional<Segment> next = segments.making().makeAhead(segment);
            next.ifPresent(made -> prepareBehind(made, isIdle));
        } finally {
            locks.unlock(LockFile.MAINT);
        }
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

    /** When the tail has moved, and each second: what lets a segment go may be its age, or another process. */
    private void dropIfDue(long now) {
        boolean moved = segment.number != droppedFor;
        if (!dropping.isDue() || (!moved && now - lastDropNanos < DROP_NANOS)) {
            return;
        }
        lastDropNanos = now;
        droppedFor = segment.number;
        traffic.writers().forEach(Writer::follow);
        if (locks.tryLock(LockFile.MAINT)) {
            try {
                dropping.drop();
            } finally {
                locks.unlock(LockFile.MAINT);
            }
        }
        segments.mapped().unmapDropped();
    }

    private void syncIfDue(long now) {
        SyncPolicy policy = options.durability().sync();
        if (policy.kind() == SyncPolicy.Kind.INTERVAL
                && seenBytes != syncedBytes
                && now - lastSyncNanos >= policy.interval().toNanos()) {
            lastSyncNanos = now;
            long before = syncedBytes;
            syncedBytes = seenBytes; // also when it fails: a failed log is not synced again
            if (!syncWhatIsSettled(before)) {
                syncedBytes = before; // what another left behind is still to be done, even if no append follows
            }
        }
    }

    private boolean syncWhatIsSettled(long before) {
        try {
            return syncer.syncSettled();
        } catch (SystemLimitException e) {
            syncedBytes = before; // nothing was lost: tried again at the next time, even if no append follows
            throw e;
        }
    }

    private void publishIfDue(long now) {
        if (now - lastPublishNanos >= PUBLISH_NANOS) {
            lastPublishNanos = now;
            publish();
        }
    }

    private void publish() {
        traffic.publish(counters);
    }

    /** Brings in the next step ahead of the tail, unless it would be a race; returns whether there may be more. */
    private boolean populate() {
        long bytes = appetite.aheadBytes(aheadMaxBytes());
        return !appetite.isSaturated() && bytes > 0 && preparation.step(bytes);
    }

    /** A layer above that asks for small segments wants small files: no more ahead than one of them. */
    private long aheadMaxBytes() {
        long most = options.layout().prepareBytes();
        return options.doors().linked() ? Math.min(most, segment.limit) : most;
    }

    private long sleepNanos(long now) {
        boolean dirty = options.durability().sync().kind() == SyncPolicy.Kind.INTERVAL && seenBytes != syncedBytes;
        if (dirty) {
            long due = lastSyncNanos + options.durability().sync().interval().toNanos();
            return Math.max(1, due - now);
        }
        publish();
        rolling = false;
        dormant = true;
        long longest = dropping.isDue() ? DROP_NANOS : Long.MAX_VALUE;
        return traffic.bytes() == seenBytes && !thread.isStopped() ? longest : 0;
    }

    /** Stops the thread, which publishes its last counts; not interruptible. */
    void stop() {
        thread.stop();
    }
}
