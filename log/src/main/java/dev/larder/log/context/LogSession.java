package dev.larder.log.context;

import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.background.LockedPages;
import dev.larder.log.background.Maintenance;
import dev.larder.log.background.Preparation;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.DiskWaits;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.retain.Bookmarks;
import dev.larder.log.retain.Dropping;
import dev.larder.log.segment.ReadView;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.LogFailure;
import dev.larder.log.shared.Member;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Slots;
import dev.larder.log.shared.Wake;
import dev.larder.log.sync.Syncer;
import dev.larder.log.write.AppendStatistics;
import dev.larder.log.write.ClaimMark;
import dev.larder.log.write.Claims;
import dev.larder.log.write.LeftClaims;
import dev.larder.log.write.Ownership;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.raw.EarlyClasses;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The open files and shared objects of one log in this process, used by all its appenders and readers. */
public final class LogSession {

    static {
        EarlyClasses.initialize(ClaimMark.class, Seals.class, DiskWaits.class);
    }

    /** The parts that only a writing session has. */
    public record Writing(LockFile locks, int slot, Claims claims, Syncer syncer, Dropping dropping) {}

    /**
     * The parts that rooms above add to a session.
     *
     * @param starts counts the records before each segment
     * @param closing does the last sync, and signs that all is well
     */
    public record Later(Function<LogSession, StartsOfSegments> starts, BiConsumer<LogSession, Writing> closing) {}

    private static final int PAGE_SHIFT = 12;
    private static final long PRESENT_NANOS = 1_000_000_000;

    public final Path directory;
    public final LogOptions options;
    public final Storage storage;
    public final ControlFile control;
    public final Segments segments;
    public final Wake wake;
    public final LogFailure failure;
    public final CountersFile counters;
    public final AppendStatistics traffic = new AppendStatistics();
    public final Faults faults = new Faults(this);
    public final int owner;
    public final boolean grows;
    final LockedPages locked;
    public final Preparation preparation;
    public final StartsOfSegments starts;
    public final Bookmarks bookmarks;

    private final @Nullable ReadView view;
    private final Later later;
    private final String controlFile;
    private final @Nullable Writing writing;
    private final @Nullable LeftClaims leftClaims;
    private final Arena countersArena;
    private final Set<Ownership> appenders = ConcurrentHashMap.newKeySet();
    private final Set<Ownership> readers = ConcurrentHashMap.newKeySet();
    private final RunningCalls calls = new RunningCalls();
    private @Nullable Maintenance maintenance;
    private volatile boolean closed;

    /** When the control file was in the directory. Readers share it: a lost store costs one more question. */
    private volatile long presentAtNanos;

    public LogSession(
            Path directory,
            LogOptions options,
            ControlFile control,
            Segments segments,
            LogFailure failure,
            CountersFile counters,
            Arena countersArena,
            @Nullable Writing writing,
            boolean grows,
            @Nullable ReadView view,
            Later later) {
        this.directory = directory;
        this.options = options;
        this.storage = HookedOptions.storage(options);
        this.control = control;
        this.segments = segments;
        this.failure = failure;
        this.counters = counters;
        this.countersArena = countersArena;
        this.writing = writing;
        this.grows = grows;
        this.view = view;
        this.later = later;
        this.controlFile = storage.fileIdentity(control.path());
        this.presentAtNanos = storage.nanoTime();
        this.locked = new LockedPages(storage, options.layout());
        this.preparation = new Preparation(storage, segments, locked, counters);
        this.starts = later.starts().apply(this);
        this.bookmarks = new Bookmarks(
                directory,
                options,
                control,
                failure,
                writing == null ? null : new Member(writing.locks(), writing.slot()),
                view,
                this::firstPosition);
        if (writing != null) {
            Dropping dropping = writing.dropping();
            dropping.heed(starts, bookmarks.holds(dropping.longestAbsenceMillis()));
        }
        control.whenFailed(writing == null ? -1 : writing.slot(), () -> {
            traffic.stop();
            counters.stop();
        });
        this.wake = new Wake(control, storage.sharedWait());
        this.owner = writing == null ? 0 : Slots.owner(writing.slot(), control.generationAcquire(writing.slot()));
        this.leftClaims = writing == null ? null : leftClaims(writing);
    }

    private LeftClaims leftClaims(Writing write) {
        LeftClaims left = new LeftClaims(traffic, write.claims(), wake, owner);
        write.claims().heed(left);
        return left;
    }

    /** Returns the claims of this process that an error of the JVM has left behind. */
    public LeftClaims leftClaims() {
        writing();
        return Objects.requireNonNull(leftClaims);
    }

    public boolean isReadOnly() {
        return writing == null;
    }

    /** Returns the part of the log that this session, which is read-only, may rely on. */
    public ReadView view() {
        return Objects.requireNonNull(view);
    }

    /** Returns where reading ends, for a read-only opening after a loss of power; else a value above all positions. */
    public long readLimit() {
        return view == null ? Long.MAX_VALUE : view.limit();
    }

    /** Returns whether more may be read than the former {@link #readLimit}, since a process has recovered the log. */
    public boolean raiseReadLimit() {
        return view != null && view.raiseLimit();
    }

    public Writing writing() {
        if (writing == null) {
            throw new ReadOnlyException(directory + ": the log was opened read-only");
        }
        return writing;
    }

    /**
     * Returns the largest payload of a record: the most that a word can hold, or a quarter of the largest segment if that is
     * less.
     */
    public long recordMaxBytes() {
        return Math.min(RecordWord.LENGTH_MAX, control.largestSegmentBytes() / 4);
    }

    /** Makes an appender, and registers it to be closed with the session. */
    public synchronized <A extends Ownership> A appender(Supplier<A> made) {
        checkOpen();
        failure.check();
        A appender = made.get();
        try {
            appenders.add(appender);
            failure.check(); // a later failure stops it, an earlier one did not see it
            return appender;
        } catch (RuntimeException | Error e) {
            appender.close();
            throw e;
        }
    }

    /**
     * Makes a reader, and registers it to be closed with the session. Where segments are dropped, the background must unmap
     * them.
     *
     * @param turn returns the ownership of the reader, by which it is closed
     */
    public synchronized <R> R reader(Supplier<R> made, Function<R, Ownership> turn) {
        checkOpen();
        if (!isReadOnly() && writing().dropping().isDue()) {
            maintenance();
        }
        R reader = made.get();
        readers.add(turn.apply(reader));
        return reader;
    }

    /** Removes a closed appender or reader from those to be closed. */
    public void forget(Ownership closed) {
        appenders.remove(closed);
        readers.remove(closed);
    }

    /** Returns the background task. The first appender starts it, or the opening where the policy syncs at an interval. */
    public synchronized Maintenance maintenance() {
        Maintenance known = maintenance;
        if (known == null) {
            Writing write = writing();
            known = new Maintenance(
                    directory,
                    options,
                    segments,
                    control,
                    failure,
                    write.locks(),
                    write.syncer(),
                    traffic,
                    preparation,
                    locked,
                    write.dropping(),
                    counters,
                    this::checkPresent);
            write.syncer().takeAlong(bookmarks);
            known.start(); // may find no room for a thread; the next appender tries again
            maintenance = known;
        }
        return known;
    }

    /** Wakes the background, if there is one: the segment that it stands in may have been dropped. */
    public synchronized void wakeBackground() {
        Optional.ofNullable(maintenance).ifPresent(Maintenance::appended);
    }

    /**
     * Makes a call that touches the mapped files outside of an appender or a reader. A closing waits until it returns.
     *
     * @throws ClosedException when the session was closed before
     */
    public <R> R during(Supplier<R> call) {
        return calls.make(this::checkOpen, call);
    }

    /** Fails when the session was closed, even if the closing waits for this call. For calls that take long. */
    public void checkOpen() {
        if (closed) {
            throw new ClosedException(directory + ": the log was closed");
        }
    }

    /** Completes an append: makes the record durable where the policy requires it. Returns its position. */
    public long appended(long position) {
        if (options.durability().sync().kind() == SyncPolicy.Kind.EVERY_APPEND) {
            syncAppended(position);
        }
        return position;
    }

    private void syncAppended(long position) {
        HookedOptions.of(options).failpoints().reached("append.left");
        try {
            sync(position + RecordWord.BYTES);
        } catch (LarderException e) {
            throw UnsyncedRecord.naming(position, e);
        }
    }

    /** Returns whether the control file is no longer in the directory: the files were removed, or replaced by others. */
    public boolean isRemoved() {
        return !storage.fileIdentity(control.path()).equals(controlFile);
    }

    /**
     * Fails where the files were removed: a sync would then be of no use. Not called at every append, since it asks the file
     * system.
     */
    public void checkPresent() {
        if (!isReadOnly() && isRemoved()) {
            throw failRemoved();
        }
    }

    /**
     * Fails where the files were removed: a reader that has read all records would wait for ever. It asks the file system once
     * a second at most, and each time once they are gone. For a read-only session, which fails the log for no other process.
     */
    public void checkPresentToRead() {
        long now = storage.nanoTime();
        if (now - presentAtNanos >= PRESENT_NANOS) {
            if (isRemoved()) {
                throw new LogFailedException(
                        control.path() + ": the file was removed or replaced while the log was open;"
                                + " its readers get no more records. Open the log again");
            }
            presentAtNanos = now;
        }
    }

    /** Fails the log for every process that has it open, since its files were removed; returns the error. */
    public LogFailedException failRemoved() {
        return failure.removed(control.path());
    }

    long sync(long upTo) {
        return during(() -> syncOpen(upTo));
    }

    private long syncOpen(long upTo) {
        AccessErrors.deliver(); // an earlier access of the caller, to other memory, may have failed
        try {
            long durable = writing().syncer().sync(upTo);
            AccessErrors.deliver();
            return durable;
        } catch (InternalError e) {
            throw failure.storeFailed(e);
        }
    }

    /** Makes all earlier appends durable, and every bookmark where it stands; returns the durable position. */
    public long syncAll() {
        return during(this::syncAllOpen);
    }

    private long syncAllOpen() {
        checkNotFailed(); // before the search for the end, whose page may be what failed
        checkPresent();
        long durable = sync(endPosition());
        if (bookmarks.exist()) {
            writing().syncer().syncAlone(bookmarks);
        }
        return durable;
    }

    /** Fails where the log has failed. Fails the log where the word for that cannot be read. */
    private void checkNotFailed() {
        AccessErrors.deliver(); // an earlier access of the caller, to other memory, may have failed
        try {
            failure.check();
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw failure.storeFailed(e);
        }
    }

    public long durablePosition() {
        return control.durableAcquire();
    }

    /** Returns the position at which the oldest record begins. */
    public long firstPosition() {
        return faults.looking(() -> {
            Lane lane = new Lane();
            Segment segment = segments.enterFirst(lane);
            segments.leave(lane, segment);
            return segment.position(segment.head);
        });
    }

    /** Returns the position of a record that comes after everything claimed so far. */
    public long endPosition() {
        raiseReadLimit();
        long limit = readLimit();
        return limit < Long.MAX_VALUE ? limit : chainEnd(); // after a loss of power the tail's file may be missing
    }

    private long chainEnd() {
        Lane lane = new Lane();
        Segment segment = faults.looking(() -> segments.enterTail(lane));
        try {
            long end = segment.position(segment.chainEnd());
            AccessErrors.deliver();
            return end;
        } catch (InternalError e) {
            throw faults.readFailed(e, segment);
        } finally {
            segments.leave(lane, segment);
        }
    }

    /** Returns the offset of a segment up to which a reader may rely on its bytes. */
    public long readEnd(Segment segment) {
        long end = readLimit();
        int last = Position.segment(end);
        return last > segment.number ? segment.limit : last < segment.number ? 0 : Position.offset(end);
    }

    /** Returns the bytes between two positions; dropped segments count as 0. */
    public long bytesBetween(long from, long to) {
        requirePossible(from);
        requirePossible(to);
        long begin = Math.max(from, Position.of(control.firstVolatile(), 0));
        long end = Math.max(begin, to);
        long bytes = Position.offset(end) - Position.offset(begin);
        for (int number = Position.segment(begin); number < Position.segment(end); number++) {
            bytes += segments.files().sizeBytes(number);
        }
        return bytes;
    }

    /**
     * Fails if no record can ever have had a position. It checks only which segments exist, not whether a record begins at the
     * offset. A reader may stand in a segment whose writer has not raised the tail yet.
     */
    private void requirePossible(long position) {
        boolean behindTail = Position.segment(position) > control.tailAcquire() + 1;
        if (position < 0
                || (behindTail && position > endPosition())) { // after a power loss the tail on the disk may be older
            throw new IllegalArgumentException(directory + ": position " + Position.toString(position)
                    + " is not in this log, which ends at " + Position.toString(endPosition()));
        }
    }

    /** Returns the error for a position whose segment was dropped, never existed, or is missing. */
    public LarderException gone(long position) {
        if (position >= 0 && segments.isDropped(Position.segment(position))) {
            return fellBehind(position);
        }
        boolean missing = position >= 0 && Position.segment(position) <= control.tailAcquire();
        return missing
                ? segments.missing(Position.segment(position))
                : new GoneException(directory + ": no segment has position " + Position.toString(position)
                        + "; the log ends at " + Position.toString(endPosition()));
    }

    /** Returns the error for a position given by a caller, whose segment is not there. */
    public RuntimeException goneOrAbsent(long position) {
        boolean never = position < 0 || Position.segment(position) > control.tailAcquire();
        return never ? absent(position) : gone(position);
    }

    /** Returns the error for a position given by a caller, at which no record begins. */
    public IllegalArgumentException absent(long position) {
        return new IllegalArgumentException(directory + ": no record begins at position " + Position.toString(position)
                + "; the log has positions from " + Position.toString(firstPosition()) + " to "
                + Position.toString(endPosition()));
    }

    /**
     * Fails if a position lies behind the end of what may be read.
     *
     * @throws GoneException if so: the log was opened read-only after a power loss that no process has recovered it from
     */
    public void requireReadable(long position) {
        long limit = readLimit();
        if (position > limit) {
            throw new GoneException(
                    directory + ": position " + Position.toString(position) + " lies after " + Position.toString(limit)
                            + ", where reading ends after a power loss until a process opens the log for writing");
        }
    }

    /** Returns the error for a position that was dropped. */
    public FellBehindException fellBehind(long position) {
        long first = Position.of(control.firstVolatile(), 0);
        return new FellBehindException(
                directory + ": fell behind: position " + Position.toString(position)
                        + " was dropped, the log begins at " + Position.toString(first),
                position,
                first);
    }

    /** Returns the error to report for one met in a segment: if the segment was dropped meanwhile, the error for that. */
    public RuntimeException explain(RuntimeException met, int number, long position) {
        return number >= 0 && segments.isDropped(number) ? fellBehind(position) : met;
    }

    /**
     * Fails where bytes that were just read may be of the file's next life. Only a pin protects a dropped segment from that,
     * and a read-only opening has none.
     */
    public void checkNotVoid(int number, long position) {
        if (isReadOnly() && segments.isDropped(number)) {
            throw fellBehind(position);
        }
    }

    /** Ensures, where space is not reserved, that a range and the words that an append stores beside it can be stored to. */
    public boolean back(Segment segment, long at, long size) {
        long end = Math.min(at + size, segment.limit);
        storage.populateForWrite(segment.memory.asSlice(at, end - at));
        boolean newPage = at >>> PAGE_SHIFT != end >>> PAGE_SHIFT || at == segment.head;
        if (newPage) {
            backShared(segment);
        }
        return true;
    }

    /** Backs the shared words too: any page that copy-on-write storage has written back needs new space. */
    private void backShared(Segment segment) {
        storage.populateForWrite(segment.memory.asSlice(0, segment.head));
        storage.populateForWrite(control.memory.asSlice(0, ControlLayout.SLOT_TABLE));
        long slot = ControlLayout.generation(writing().slot()) & -(1L << PAGE_SHIFT);
        storage.populateForWrite(control.memory.asSlice(slot, 1L << PAGE_SHIFT));
        counters.back(storage);
    }

    /** Returns the error for a commit that found its claim changed: another process judged this one dead. */
    public LogFailedException judgedDead(Segment segment, long at) {
        LogFailedException fenced =
                failure.fenced(directory + ": the claim at " + Position.toString(segment.position(at))
                        + " was taken away: another process found the lock of this process free; was a descriptor of "
                        + LockFile.FILE_NAME + " closed by other code, or was the process restored from a checkpoint?");
        traffic.stop();
        return fenced;
    }

    public boolean isOpen() {
        return !closed;
    }

    /** Fails when the calling thread is inside a handler, a writer or a call, which closing would wait for. */
    public void requireOutside() {
        boolean inside = Stream.concat(appenders.stream(), readers.stream()).anyMatch(Ownership::isInside);
        if (inside || calls.isInside()) {
            throw new IllegalStateException(directory + ": cannot close the log from inside its own handler or call");
        }
    }

    /** Closes everything; waits for handlers, appends and other calls that are running. */
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        ClosingSteps closing = new ClosingSteps(HookedOptions.of(options).failpoints());
        closing.take("calls", calls::awaitEnd);
        appenders.forEach(appender -> closing.take("appender", guarded(appender::close)));
        readers.forEach(reader -> closing.take("reader", guarded(reader::close)));
        closing.take("bookmarks", guarded(bookmarks::releaseAll));
        Optional.ofNullable(maintenance).ifPresent(there -> closing.take("background", there::stop));
        Optional.ofNullable(writing)
                .ifPresent(write ->
                        closing.take("sync", guarded(() -> later.closing().accept(this, write))));
        release(closing);
        closing.end();
    }

    /** Wraps a step of the closing: a store that could not be served fails the log, as anywhere else. */
    private Runnable guarded(Runnable step) {
        return () -> {
            try {
                step.run();
                AccessErrors.deliver();
            } catch (InternalError e) {
                throw failure.storeFailed(e);
            }
        };
    }

    private void release(ClosingSteps closing) {
        closing.take("names", bookmarks::close);
        closing.take("segments", segments::close);
        closing.take("counters", countersArena::close);
        closing.take("control", control::close);
        Optional.ofNullable(view).ifPresent(there -> closing.take("view", there::close));
        Optional.ofNullable(writing).ifPresent(write -> closing.take("locks", write.locks()::close));
    }
}
