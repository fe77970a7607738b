package dev.larder.map.clean;

import dev.larder.log.FlightEvents;
import dev.larder.log.LogBusyException;
import dev.larder.log.Position;
import dev.larder.log.random.LogRecords;
import dev.larder.map.Cleaning;
import dev.larder.map.MapSpace;
import dev.larder.map.NoRoomYetException;
import dev.larder.map.entry.Room;
import dev.larder.map.entry.ThreadState;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.index.Index;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdk.jfr.Event;

/**
 * The bytes that the segments take and may take, and the rules by which threads clean or wait.
 *
 * <pre>
 * 0         alive           due                wished                kept        + 1 segment      most
 * |---------|---------------|------------------|---------------------|-----------|----------------|
 *                            the cleaner works  a writer that fills   puts wait   removals, too    left to the cleaner
 *                                               a segment helps
 *
 * wished  alive * factor, or alive + 16 MiB, whichever is more
 * kept    the most bytes, or as many as the disk has room for, less three segments
 * due     the lower one of both, less three segments, or less a third of the bytes above alive
 * </pre>
 *
 * <p>Expired entries do not count as alive, as far as they are known ({@link Unexpired}).
 *
 * <p>In a map that evicts, the wished size is the kept size, and the live bytes are brought down to a share of it.
 *
 * <p>The state is computed whenever the log reaches another segment, and after one was cleaned. So a change reads a single
 * field. Segments are kept to a 64th of the live bytes, so that these steps, and the file being filled, are small.
 *
 * <p>Dropped segments that readers or snapshots hold count as taken, and nothing is cleaned for them: copied records would only
 * add to them.
 *
 * <p>Removals make the room that puts wait for. So if nothing can be gained yet, they continue into the space left to the
 * cleaner, which cleans once for each segment that they fill. An error comes from the log alone: when it finds no room for a
 * segment of the smallest size, and nothing is dead.
 *
 * <p>The wished size delays no change for long: a helper cleans as many segments as a segment of puts needs, or waits until
 * another process has. The kept size makes changes wait until there is room, or until none can be gained: then the change
 * fails.
 */
public final class SpaceGovernor implements Room {

    private static final long SMALL_BYTES = 16L << 20;
    private static final long SEGMENT_MIN_BYTES = 2L << 20;
    private static final long NO_BOUND = Long.MAX_VALUE / 4;
    private static final int SEGMENTS = 64;

    /** The segment size of a map without a bound, which need not save space: fewer and larger segments are loaded faster. */
    private static final long SEGMENT_SWIFT_BYTES = 8L << 20;

    private static final int SEGMENTS_SWIFT = 8;
    private static final int KEPT_SEGMENTS = 3;
    private static final int DUE_SEGMENTS = 3;
    private static final int ROUNDS_MORE = 8;
    private static final int WASTE = 64;
    private static final double LOOSE = 0.03;
    private static final long READERS_NANOS = 2_000_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    /** If the disk has room for fewer segments than this, smaller ones are made. */
    private static final int FITTING_SEGMENTS = 4;

    /** The alignment of the first record of a segment, and of one in hundreds of the others. */
    private static final int FIRST_ALIGNED_BYTES = 4096;

    /** How long a put cleans at least while other writers take the space that it gains. */
    private static final long OTHER_WRITERS_NANOS = 2_000_000_000;

    /** How long a put waits for another process that cleans: long enough to clean the largest segment. */
    private static final long OTHERS_NANOS = 1_000_000_000;

    private final Path directory;
    private final LogRecords records;
    private final Index index;
    private final Cleaning cleaning;
    private final long largestSegmentBytes;
    private final Cleaner cleaner;
    private final Epochs reads;
    private final MemorySegment shared;
    private final AtomicBoolean helpWanted = new AtomicBoolean();
    private volatile Runnable worker = () -> {};
    private volatile int tail = -1;

    /** The last segment for which a thread has waited while another process cleaned it. */
    private volatile int awaited = -1;

    /** The oldest segment on which a helper failed, or had to wait too long: it is left to the background task. */
    private volatile int stuck = -1;

    /** The tail segment at the last time that a removal cleaned a segment although little could be gained. */
    private volatile int removalsTail = -1;

    private volatile long usableBytes = NO_BOUND;
    private volatile long evictedFrom = NO_BOUND;
    private volatile boolean putsHeld;
    private volatile boolean removalsHeld;

    /** The state at one moment. */
    private record Look(
            long live,
            long used,
            long files,
            long dropped,
            long emptied,
            long segment,
            long wished,
            long kept,
            long evictedFrom) {

        /**
         * Returns the bytes of the files that cleaning can reduce: not dropped segments that readers hold, nor emptied ones
         * that stay for a restore point.
         */
        long own() {
            return files - dropped - emptied;
        }

        /**
         * Returns whether readers hold the missing space: all of it, or so much that cleaning can gain nothing before they
         * leave.
         */
        boolean isHeldByReaders(long size) {
            boolean holds = dropped > 0 && files > size;
            return holds && (own() <= size || (canReach(size) && !canReach(size - dropped)));
        }

        long due() {
            long bound = Math.min(wished, kept);
            return bound - Math.min(DUE_SEGMENTS * segment, Math.max(0, bound - live) / 3);
        }

        long dead() {
            return used - live;
        }

        /**
         * Returns whether cleaning can bring the files down to a size. Entries that are not evicted stay, and so do headers and
         * a segment that is being filled.
         */
        boolean canReach(long size) {
            long least = Math.min(live, evictedFrom);
            return least + least / WASTE + segment <= size;
        }
    }

    public SpaceGovernor(
            Path directory,
            LogRecords records,
            Index index,
            Cleaning cleaning,
            long largestSegmentBytes,
            Cleaner cleaner,
            Epochs reads,
            IndexFile file) {
        this.reads = reads;
        this.directory = directory;
        this.records = records;
        this.index = index;
        this.cleaning = cleaning;
        this.largestSegmentBytes = largestSegmentBytes;
        this.cleaner = cleaner;
        this.shared = file.memory();
    }

    /** Records the used bytes as the first process opens the map. */
    public void begin() {
        Words.setRelease(shared, IndexFileLayout.USED_BEFORE, records.usedBytes());
    }

    /** Sets the task to run when it may be time to clean. */
    public void tell(Runnable told) {
        worker = told;
    }

    /**
     * Records a claim; costs a comparison unless it is the first of a segment. The writer of the first one is to help. So each
     * process helps as often as it has filled a segment, however many others fill segments.
     */
    public void claimed(long position) {
        carried(position);
        if (Position.offset(position) % FIRST_ALIGNED_BYTES == 0 && records.isFirst(position)) {
            helpWanted.set(isLookedAt(this::isBeyondWished));
        }
    }

    /** Records a claim of the cleaner, for which no writer helps. */
    public void carried(long position) {
        if (Position.segment(position) > tail) {
            isLookedAt(() -> entered(Position.segment(position)));
            worker.run();
        }
    }

    /** Runs a check. If it fails, as the system has no open file left for it, the change does not fail for that. */
    private static boolean isLookedAt(BooleanSupplier look) {
        try {
            return look.getAsBoolean();
        } catch (LarderException e) {
            return false; // the background task does the same, and logs the error
        }
    }

    private synchronized boolean entered(int segment) {
        if (segment > tail) {
            look();
            tail = segment;
        }
        return true;
    }

    @Override
    public synchronized void look() {
        usableBytes = Math.min(NO_BOUND, records.usableBytes());
        Look now = now();
        records.segmentBytes(fitting(now.segment));
        evictedFrom = now.evictedFrom;
        putsHeld = now.files > now.kept;
        removalsHeld = now.files > now.kept + now.segment;
    }

    private Look now() {
        long live = Unexpired.of(shared, index.live().get());
        long segment = segmentBytes(live);
        long dropped = cleaner.droppedBytes();
        long files = records.fileBytes() + dropped;
        long kept = Math.min(cleaning.maxBytes().orElse(NO_BOUND), files + usableBytes) - KEPT_SEGMENTS * segment;
        return new Look(
                live,
                records.usedBytes(),
                files,
                dropped,
                cleaner.emptiedBytes(),
                segment,
                wished(live),
                kept,
                evictedFrom(kept, segment));
    }

    /**
     * Returns the live bytes from which entries are evicted: so few that the rest can always be brought down to the kept size.
     * If that size is small, a segment is much of it.
     */
    private long evictedFrom(long kept, long segment) {
        long within = Math.max(0, kept - segment) / (WASTE + 1) * WASTE;
        return cleaning.evicts() ? Math.min((long) (kept / cleaning.spaceFactor()), within) : NO_BOUND;
    }

    /** Returns the wished size: a cache fills the space that it is given, and otherwise the files follow the live bytes. */
    private long wished(long live) {
        boolean follows = cleaning.background() && !cleaning.evicts();
        return follows ? Math.max((long) (live * cleaning.spaceFactor()), live + SMALL_BYTES) : NO_BOUND;
    }

    /** Returns whether a map that evicts has so many live bytes that some entries have to go. */
    public boolean isTooMuch() {
        return index.live().get() > evictedFrom;
    }

    private long segmentBytes(long live) {
        long most = (long) (live * (cleaning.spaceFactor() - 1) / DUE_SEGMENTS / 2);
        long wanted = Math.clamp(Math.max(live / SEGMENTS, swift(live)), 0, most);
        return Math.min(Long.highestOneBit(Math.max(SEGMENT_MIN_BYTES, wanted)), largestSegmentBytes);
    }

    /** Returns a segment size that fits: a nearly full disk may have room for a small segment, but not for a large one. */
    private long fitting(long segment) {
        long room = Long.highestOneBit(Math.max(SEGMENT_MIN_BYTES, usableBytes / FITTING_SEGMENTS));
        return Math.min(segment, room);
    }

    private long swift(long live) {
        return cleaning.maxBytes().isPresent() ? 0 : Math.min(SEGMENT_SWIFT_BYTES, live / SEGMENTS_SWIFT);
    }

    /** Returns whether it is time to clean, and space can be gained. */
    boolean isDue() {
        Look now = now();
        return now.own() > now.due() && now.canReach(now.due());
    }

    private boolean isBeyondWished() {
        Look now = now();
        return now.own() > now.wished;
    }

    /** Returns whether the dead bytes that are not yet emptied exceed 3 % of the live bytes. */
    boolean isLoose() {
        Look now = now();
        return now.dead() - now.emptied > now.live * LOOSE;
    }

    @Override
    public void await(boolean removal, ThreadState<?, ?> own) {
        if (helpWanted.getPlain() && !own.isImpatient() && helpWanted.getAndSet(false)) {
            help();
        }
        if (isHeld(removal)) {
            if (own.isImpatient()) {
                throw noRoomYet();
            }
            makeRoom(removal, own.readLine());
        }
    }

    private NoRoomYetException noRoomYet() {
        worker.run();
        return new NoRoomYetException(directory
                + ": no room yet: the change must wait for the cleaner, or clean, and this call may not wait");
    }

    @Override
    public NoRoomYetException noRoomYet(DiskFullException met) {
        worker.run();
        return new NoRoomYetException(
                directory + ": no room yet: the change found the disk full, and this call may not wait for room: "
                        + met.getMessage(),
                met);
    }

    /**
     * Cleans the space that a segment of puts takes, so that writers cannot outrun the cleaner. Errors are left to the cleaner
     * to report.
     */
    private void help() {
        int rounds = (int) (2 / (cleaning.spaceFactor() - 1)) + 2;
        int oldest = records.firstSegment();
        try {
            while (oldest != stuck && rounds-- > 0 && isBeyondWished() && hasGone(oldest)) {
                look();
                oldest = records.firstSegment();
            }
        } catch (LarderException e) {
            stuck = oldest;
            worker.run();
        }
    }

    /** Gets the oldest segment cleaned, by this thread or by another process that cleans; returns whether the segment is gone. */
    private boolean hasGone(int oldest) {
        long start = System.nanoTime();
        boolean again = oldest == awaited;
        cleaner.helpCleanOldest(
                this::isBeyondWished, () -> !again && isBeyondWished() && isWorthWaiting(oldest, start), OTHERS_NANOS);
        awaited = oldest;
        return records.firstSegment() > oldest;
    }

    /**
     * Returns whether to wait for another process that cleans. That process may be stopped, so no thread waits twice for one
     * segment.
     */
    private boolean isWorthWaiting(int oldest, long startNanos) {
        return records.firstSegment() == oldest && System.nanoTime() - startNanos < OTHERS_NANOS;
    }

    /** Returns whether entries expire: then cleaning may gain more than is known. */
    private boolean mayExpire() {
        return cleaner.carrier().mayExpire();
    }

    @Override
    public boolean hasRoom() {
        return !putsHeld;
    }

    private boolean isHeld(boolean removal) {
        return removal ? removalsHeld : putsHeld;
    }

    private void makeRoom(boolean removal, int readLine) {
        Optional<SpaceWaitEvent> event = FlightEvents.ifRecorded(() -> SpaceWaitEvent.start(directory, removal));
        try {
            cleanUntilFree(removal, readLine);
        } finally {
            event.ifPresent(Event::commit);
        }
    }

    /**
     * Cleans until there is room. Other writers take what is gained, too: so a put goes on for some time, even after many rounds. A
     * wait for readers is no round, and each begins anew: other readers held the space before.
     */
    private void cleanUntilFree(boolean removal, int readLine) {
        int rounds = 2 * (records.tailSegment() - records.firstSegment()) + ROUNDS_MORE;
        long start = System.nanoTime();
        long waitingSince = start;
        while (isHeld(removal)) {
            Look now = now();
            long enough = now.kept + (removal ? now.segment : 0);
            boolean first = rounds > 0;
            boolean patient = first || (!removal && System.nanoTime() - start < OTHER_WRITERS_NANOS);
            boolean hopeful = isHopeful(now, enough, patient, first);
            if (now.emptied > 0 && !hopeful && dropEmptied()) {
                continue;
            }
            if (now.isHeldByReaders(enough)) {
                awaitReaders(now, waitingSince, readLine);
                continue;
            }
            if (removal && !hopeful) {
                cleanForRemoval(now);
                return;
            }
            requireGain(now, enough, hopeful);
            clean(removal);
            rounds--;
            waitingSince = System.nanoTime();
        }
    }

    /**
     * Cleans one segment for each one filled, if only the last segment is free, which is the cleaner's. So removed bytes are
     * freed although they are spread over all segments, and no removal waits for more than one segment.
     */
    private void cleanForRemoval(Look now) {
        int tail = records.tailSegment();
        if (now.files > now.kept + 2 * now.segment && now.dead() > 0 && tail != removalsTail) {
            removalsTail = tail;
            try {
                cleaner.cleanOldest(() -> true);
            } catch (LarderException e) {
                worker.run(); // the background task logs the failure; whether the removal has room is up to
                // the log
            } finally {
                look();
            }
        }
    }

    /** Waits for readers, which leave soon as a rule. A snapshot may stay, and so does a handler that waits here for itself. */
    private void awaitReaders(Look now, long startNanos, int readLine) {
        boolean holdsAll = readLine != ThreadState.NO_LINE && reads.isAlone(readLine);
        if (holdsAll || System.nanoTime() - startNanos > READERS_NANOS) {
            throw full(
                    now,
                    readLine == ThreadState.NO_LINE
                            ? ""
                            : "; this thread does, in a handler of the map that changes it");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        cleaner.giveBack();
        look();
    }

    /** Drops the emptied segments that no restore point needs; returns whether any was dropped. */
    private boolean dropEmptied() {
        int first = records.firstSegment();
        try {
            cleaner.cleanOldestAlone(() -> false);
        } catch (LarderException e) {
            worker.run(); // the background task does the same, and logs the error
        } finally {
            look();
        }
        return records.firstSegment() > first;
    }

    /**
     * Returns whether cleaning may help. Segments that a restore point keeps stay until it moves, and cleaning only adds to them.
     *
     * @param patient whether to go on if the live bytes would fit
     * @param first whether few segments were cleaned so far, so that entries may turn out to have expired
     */
    private boolean isHopeful(Look now, long enough, boolean patient, boolean first) {
        boolean fits = patient && now.canReach(enough - now.dropped - now.emptied);
        return now.emptied <= enough && (fits || (first && mayExpire()));
    }

    private void requireGain(Look now, long enough, boolean hopeful) {
        if (now.files > enough && !hopeful) {
            throw full(now);
        }
    }

    private void clean(boolean removal) {
        try {
            cleaner.cleanOldest(() -> isStillHeld(removal));
        } catch (CorruptException | LogBusyException e) {
            DiskFullException full = full(now());
            full.initCause(e);
            throw full;
        } finally {
            look();
        }
    }

    /** Looks again, as another process may have made room. */
    private boolean isStillHeld(boolean removal) {
        look();
        return isHeld(removal);
    }

    private DiskFullException full(Look now) {
        return full(now, "");
    }

    private DiskFullException full(Look now, String holder) {
        Throwable failure = cleaner.failure();
        return new DiskFullException(directory + ": the map is full: its files take " + now.files
                + " bytes, its entries " + now.live
                + (now.dropped == 0 ? "" : ", readers and snapshots hold " + now.dropped + holder)
                + (now.emptied == 0 ? "" : ", a restore point keeps " + now.emptied)
                + (now.kept > 0
                        ? "; puts continue at " + now.kept + " bytes"
                        : "; puts continue once the disk has room")
                + (failure == null ? "" : "; cleaning failed: " + failure.getMessage()));
    }

    @Override
    public void makeRoom(DiskFullException met, int tries, boolean removal) {
        if (cleaner.emptiedBytes() > 0 && dropEmptied()) {
            return;
        }
        boolean gain = removal ? now().dead() > 0 : isLoose();
        boolean hopeful = tries <= records.tailSegment() - records.firstSegment() && gain;
        look(); // for a smaller segment, which may find room
        if (!hopeful || !cleanedOne(met)) {
            throw met;
        }
        look();
    }

    private boolean cleanedOne(DiskFullException met) {
        try {
            return cleaner.cleanOldest(() -> true);
        } catch (LarderException e) {
            met.addSuppressed(e);
            return false;
        }
    }

    /**
     * Cleans until the dead bytes are at most 3 % of the live bytes, once through the log at most; if entries expire, all of
     * it. Emptied segments that are kept for a restore point are passed over: the first segment need not move.
     */
    public void compact() {
        int end = records.tailSegment();
        boolean more = true;
        while (more) {
            more = cleaner.cleanOldest(() -> cleaner.oldest() < end && (isLoose() || mayExpire()));
            look();
        }
        records.awaitFreed();
    }

    public MapSpace info() {
        Look now = now();
        long appended = now.used + cleaner.cleanedBytes() - Words.getAcquire(shared, IndexFileLayout.USED_BEFORE);
        long own = appended - cleaner.carriedBytes();
        Throwable failure = cleaner.failure();
        return new MapSpace(
                now.live,
                Math.max(0, now.dead()),
                now.files,
                cleaner.cleanedBytes(),
                cleaner.carriedBytes(),
                own > 0 ? (double) appended / own : 1,
                cleaner.carrier().evicted(),
                cleaner.carrier().expired(),
                Optional.ofNullable(failure).map(String::valueOf));
    }
}
