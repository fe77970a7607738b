package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogMismatchException;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.PrefixKeeper;
import dev.larder.map.checkpoint.Checkpoint;
import dev.larder.map.checkpoint.CheckpointLoad;
import dev.larder.map.checkpoint.CheckpointNeed;
import dev.larder.map.checkpoint.CheckpointTask;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.checkpoint.ParallelReplay;
import dev.larder.map.checkpoint.Undoing;
import dev.larder.map.clean.AfterDeaths;
import dev.larder.map.clean.Cleaner;
import dev.larder.map.clean.CleanerTask;
import dev.larder.map.clean.Eviction;
import dev.larder.map.clean.LeftBatches;
import dev.larder.map.clean.Relocator;
import dev.larder.map.clean.SpaceGovernor;
import dev.larder.map.entry.AccessTracker;
import dev.larder.map.entry.BulkLoad;
import dev.larder.map.entry.Changes;
import dev.larder.map.entry.Computations;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.EntryWalk;
import dev.larder.map.entry.KeyGroups;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.PendingHome;
import dev.larder.map.entry.Reads;
import dev.larder.map.entry.RemovalNotifier;
import dev.larder.map.entry.ThreadState;
import dev.larder.map.entry.ThreadStates;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.ExpiringRecords;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.MapCounts;
import dev.larder.map.shared.PendingFloor;
import dev.larder.map.shared.Processes;
import dev.larder.map.shared.Restoring;
import dev.larder.map.shared.Stripes;
import dev.larder.map.shared.TemporaryFolder;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The open map of a process that may change it: its files, its index, and the threads that work on them. */
final class WritingSession<K, V> extends MapSession<K, V> {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final MapFiles files;
    private final MapOptions options;
    private final LogRecords records;
    private final Processes processes;
    private final MapParts parts;
    private final SpaceGovernor space;
    private final Batches batches;
    private final PendingFloor floor;
    private final Cleaner cleaner;
    private final Checkpoint checkpoint;
    private final CleanerTask cleanerTask;
    private final CheckpointTask imageTask;
    private final ReentrantLock imaging = new ReentrantLock();
    private final ThreadStates<K, V> desks;
    private final MapCounts counts;
    private final AccessTracker uses;
    private final RemovalNotifier<K, V> removals;
    private final Reads<K, V> lookups;
    private final Changes<K, V> changes;
    private final Computations<K, V> computations;
    private final KeyGroups<K, V> groups;
    private final Snapshots<K, V> snapshots;
    private final @Nullable TemporaryFolder temporary;
    private volatile boolean leavesOutLastCheckpoint;
    private boolean ended;

    private WritingSession(
            MapFiles files,
            MapOptions options,
            ValueCodec<K> keys,
            ValueCodec<V> values,
            @Nullable TemporaryFolder temporary) {
        this.temporary = temporary;
        this.files = files;
        this.options = options;
        this.records = files.records();
        this.processes = Processes.enter(files.index(), records);
        IndexFile.Opening opening = files.index().opening();
        this.batches = new Batches(files.index(), processes);
        this.checkpoint = new Checkpoint(files.log(), options.log(), opening, batches);
        Epochs reads = Epochs.ofReads(files.index(), processes);
        Epochs writes = Epochs.ofChanges(files.index(), processes);
        LongSupplier systemMillis = HookedOptions.of(options.log()).storage()::currentTimeMillis;
        Deadlines deadlines = new Deadlines(
                options.lifetime(),
                Deadlines.millis(options.time().calls(), systemMillis),
                options.time().alive().orElse(null),
                new ExpiringRecords(files.index().memory())::note);
        Deadlines ofCleaner = deadlines.by(Deadlines.millis(options.time().cleaning(), systemMillis));
        PackedPositions places = new PackedPositions(opening.largestSegmentBytes(), records);
        Directory entries = new Directory(files.index());
        IndexMemory memory = new IndexMemory(files.index(), processes, writes);
        LiveBytes live = new LiveBytes(files.index(), processes);
        Index index = new Index(records, places, entries, memory, live, deadlines, steps());
        index.lookByAddress(files.index());
        this.floor = new PendingFloor(files.index(), files.map().hasPending());
        this.cleaner = new Cleaner(
                files,
                processes,
                index,
                writes,
                reads,
                carrier(index, writes, ofCleaner),
                leftBatches(index, writes),
                floor,
                options.restorePoint(),
                steps());
        this.space = new SpaceGovernor(
                files.directory(),
                records,
                index,
                options.cleaning(),
                opening.largestSegmentBytes(),
                cleaner,
                reads,
                files.index());
        EntryStore store = new EntryStore(files.directory(), index, records, space::claimed, steps());
        this.parts = new MapParts(
                files.directory(), files.map().seed(), records, index, store, space, writes, reads, deadlines);
        ThreadStates.Maker<K, V> desk = own -> new ThreadState<>(files.directory(), options.log(), keys, values, own);
        this.desks = new ThreadStates<>(parts, "map", desk);
        this.snapshots = new Snapshots<>(parts, files, batches, desk);
        this.counts = new MapCounts(new Stripes(files.index(), processes));
        this.uses = new AccessTracker(
                parts,
                desks,
                options.counted() ? counts : null,
                options.cleaning().evicts());
        this.removals = new RemovalNotifier<>(files.directory(), records, desks);
        this.lookups = new Reads<>(parts, desks, uses, keys);
        this.changes = new Changes<>(parts, desks, lookups, removals);
        this.computations = new Computations<>(files.directory(), lookups, changes);
        this.groups = new KeyGroups<>(parts, desks, lookups, changes, uses);
        this.cleanerTask = new CleanerTask(
                String.valueOf(files.directory().getFileName()),
                space,
                cleaner,
                processes,
                new AfterDeaths(processes, index, writes, files.log(), !isSynced()),
                headKeeper(),
                options.cleaning().background());
        this.imageTask = new CheckpointTask(
                String.valueOf(files.directory().getFileName()), checkpointNeed(), this::checkpointUnlessOthersDo);
    }

    private CheckpointNeed checkpointNeed() {
        long logBytes = options.checkpoints().logBytes().orElse(Long.MAX_VALUE);
        return new CheckpointNeed(
                records,
                checkpoint::replay,
                () -> CheckpointLayout.bytes(parts.index().steps()),
                logBytes);
    }

    private PrefixKeeper headKeeper() {
        long memory = HookedOptions.of(options.log()).storage().memoryBytes();
        return records.headKeeper(EntryLayout::headLength, options.coldKeys().maxBytes(memory));
    }

    private Failpoints steps() {
        return HookedOptions.of(options.log()).failpoints();
    }

    private LeftBatches leftBatches(Index index, Epochs writes) {
        EntryStore linking = new EntryStore(files.directory(), index, records, position -> {}, Failpoints.NONE);
        return new LeftBatches(
                files.log(), linking, writes, batches, files.map().seed());
    }

    private Relocator carrier(Index index, Epochs writes, Deadlines deadlines) {
        Failpoints own = step -> steps().reached(Cleaner.ownName(step));
        EntryStore carried = new EntryStore(files.directory(), index, records, this::carried, own);
        Eviction eviction = options.cleaning().evicts()
                ? new Eviction(this::isTooMuch, options.cleaning().maxBytes().getAsLong() / 2)
                : null;
        return new Relocator(
                index,
                writes,
                carried,
                deadlines,
                eviction,
                this::gone,
                files.index().memory(),
                files.map().seed(),
                files.map().hasPending());
    }

    private void carried(long position) {
        space.carried(position);
    }

    private boolean isTooMuch() {
        return space.isTooMuch();
    }

    private void gone(RemovalCause cause, MemorySegment record, long at, int length) {
        removals.gone(cause, record, at, length);
    }

    static <K, V> WritingSession<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        return open(directory, keys, values, options, null);
    }

    /**
     * Opens a map that is not durable. Nothing is synced, and its index lies beside its other files, to be removed with
     * them.
     */
    static <K, V> WritingSession<K, V> temporary(
            Path folder, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        TemporaryFolder place = TemporaryFolder.make(folder, options.log());
        Path indexFolder = options.sharing().folder().orElse(place.directory());
        MapOptions own = options.withLog(options.log().withSync(SyncPolicy.none()))
                .withSharing(Sharing.defaults().withFolder(indexFolder));
        try {
            return open(place.directory(), keys, values, own, place);
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
    }

    private static <K, V> WritingSession<K, V> open(
            Path directory,
            ValueCodec<K> keys,
            ValueCodec<V> values,
            MapOptions options,
            @Nullable TemporaryFolder temporary) {
        MapFiles files = MapFiles.open(directory, options.log(), options.sharing(), MapTypes.of(keys, values));
        try {
            agree(files, options);
            WritingSession<K, V> session = new WritingSession<>(files, options, keys, values, temporary);
            session.beginOrStop();
            return session;
        } catch (RuntimeException | Error e) {
            giveUp(files);
            throw e;
        }
    }

    private static void agree(MapFiles files, MapOptions options) {
        boolean restoring = options.restorePoint().isPresent();
        options.restorePoint().ifPresent(point -> requireReached(files, point));
        if (files.first()) {
            Restoring.begin(files.index(), restoring);
        } else {
            Restoring.requireSame(files.index(), restoring, files.directory());
        }
    }

    /**
     * Refuses a restore point that the log has not reached. It is of another log, or no position, and all emptied segments
     * would go at once.
     */
    private static void requireReached(MapFiles files, long point) {
        long end = files.log().endPosition();
        if (point > end) {
            throw new IllegalArgumentException(files.directory() + ": the restore point " + Position.toString(point)
                    + " lies after the end of the map's log, " + Position.toString(end));
        }
    }

    /** Gives up a failed opening. The gate is held, so no process has attached to an unfinished index. */
    private static void giveUp(MapFiles files) {
        if (files.map().leave()) {
            files.closeLast();
        } else {
            files.close();
        }
    }

    /** Starts the background tasks, or stops them after an error, so that no thread uses files that are closed next. */
    private void beginOrStop() {
        try {
            begin();
        } catch (RuntimeException | Error e) {
            imageTask.stop();
            cleanerTask.stop();
            throw e;
        }
    }

    private void begin() {
        if (files.first()) {
            floor.appended(files.log().endPosition() - 1);
            fill();
            space.begin();
            undo();
        }
        space.look();
        space.tell(cleanerTask::signal);
        cleanerTask.start();
        if (makesImages()) {
            imageTask.start();
        }
        files.ready();
    }

    boolean makesImages() {
        return isSynced()
                && temporary == null
                && options.checkpoints().logBytes().isPresent();
    }

    private boolean isSynced() {
        return options.log().durability().sync().kind() != SyncPolicy.Kind.NONE;
    }

    /**
     * Loads the checkpoint, and replays the log after it. If the log starts later, it replays from the first record. A
     * checkpoint that is rejected is removed before this process appends anything.
     */
    private void fill() {
        Storage storage = HookedOptions.of(options.log()).storage();
        IndexFile.Opening opening = files.index().opening();
        long limit = restorePosition().orElse(Long.MAX_VALUE);
        long end = Math.min(files.log().endPosition(), limit);
        CheckpointLoad load = new CheckpointLoad(files.log(), storage, opening, parts, limit);
        OptionalLong replay = load.run();
        if (load.hasRejected()) {
            checkpoint.remove();
        }
        if (replay.isPresent() && !load.metDamage()) {
            checkpoint.believe();
        }
        boolean reaches = replay.isPresent() && Position.segment(replay.getAsLong()) >= records.firstSegment();
        new ParallelReplay(files.log(), parts).run(reaches ? replay : OptionalLong.empty(), end);
    }

    /** Takes the map back to the restore point, if the log continues behind it. */
    private void undo() {
        OptionalLong point = restorePosition();
        if (point.isPresent()) {
            new Undoing(files.log(), parts).run(point.getAsLong());
        }
    }

    /**
     * Returns the place of the restore point in the log; for point 0, a map without entries, the first record.
     *
     * @throws GoneException if the segment of the point was dropped: the entries at that time are then lost
     */
    private OptionalLong restorePosition() {
        OptionalLong point = options.restorePoint();
        if (point.isEmpty()) {
            return point;
        }
        long first = files.log().firstPosition();
        if (point.getAsLong() != 0 && Position.segment(point.getAsLong()) < Position.segment(first)) {
            throw new GoneException(files.directory() + ": the restore point " + Position.toString(point.getAsLong())
                    + " was dropped: the log begins at " + Position.toString(first)
                    + "; open the map without a restore point, or with a later one");
        }
        return OptionalLong.of(Math.max(point.getAsLong(), first));
    }

    @Override
    Reads<K, V> lookups() {
        return lookups;
    }

    @Override
    Changes<K, V> changes() {
        return changes;
    }

    @Override
    Computations<K, V> computations() {
        return computations;
    }

    /** Returns the part that reads and changes many keys together. */
    @Override
    KeyGroups<K, V> groups() {
        desks.checkOpen();
        return groups;
    }

    /** Returns the part that calls the removal listener. */
    @Override
    RemovalNotifier<K, V> removals() {
        return removals;
    }

    @Override
    boolean hasMetExpiry() {
        desks.checkOpen();
        return parts.deadlines().areMet();
    }

    @Override
    void requireOpen() {
        desks.checkOpen();
    }

    @Override
    boolean arePagesMissing() {
        desks.checkOpen();
        return records.arePagesMissing();
    }

    @Override
    MapLoader<K, V> loader(long expectedEntries) {
        desks.checkOpen();
        BulkLoad<K, V> load = new BulkLoad<>(parts, desks.make(), changes, records.batch(), batches);
        MapLoader<K, V> loader = new MapLoader<>(load, files.log());
        try {
            load.expect(expectedEntries);
            return loader;
        } catch (RuntimeException | Error e) {
            load.abandon();
            throw e;
        }
    }

    /** Runs changes of this thread, which fail if they would have to wait. */
    @Override
    <T extends @Nullable Object> T withoutWaiting(Supplier<T> changes) {
        desks.checkOpen();
        if (options.log().durability().sync().kind() == SyncPolicy.Kind.EVERY_APPEND) {
            throw new NoRoomYetException(files.directory()
                    + ": no room yet: the policy everyAppend makes each change wait for a sync, and this call"
                    + " may not wait");
        }
        return desks.withoutWaiting(changes);
    }

    @Override
    long liveBytes() {
        desks.checkOpen();
        return parts.index().live().get();
    }

    @Override
    void noteUses(boolean noted) {
        desks.checkOpen();
        uses.noteVisits(noted || options.cleaning().evicts());
    }

    @Override
    EntryWalk<K, V> walkFrom(long cursor) {
        return new EntryWalk<>(parts, desks, lookups, cursor);
    }

    /** Takes a snapshot for an opening. Refused while this thread is within a change: the snapshot would wait for it. */
    @Override
    MapSnapshot<K, V> snapshot(Object owner) {
        desks.checkOpen();
        requireNotChanging("a codec cannot take a snapshot");
        return snapshots.take(owner);
    }

    /** Closes the snapshots that an opening has taken. */
    @Override
    void closeSnapshotsOf(Object owner) {
        snapshots.closeOf(owner);
    }

    private void requireNotChanging(String what) {
        if (desks.isChanging()) {
            throw new IllegalStateException(files.directory() + ": " + what);
        }
    }

    /**
     * Refuses a call that waits for all changes, or for the cleaner, if this thread is within a change or a listener: either
     * may call a listener.
     */
    private void requireOutside(String what) {
        requireNotChanging("a codec, or a writer of a value, " + what);
        if (removals.areTelling()) {
            throw new IllegalStateException(files.directory() + ": a removal listener " + what);
        }
    }

    /** Refuses a call that waits for all records being written, if this thread is writing one. */
    private void requireNotWriting(String what) {
        if (desks.areWriting()) {
            throw new IllegalStateException(files.directory() + ": a codec, or a writer of a value, " + what
                    + ": the sync would wait for that value");
        }
    }

    @Override
    long count() {
        desks.checkOpen();
        return parts.index().count();
    }

    @Override
    boolean isCountSure() {
        return processes.isFirstAndOnly();
    }

    @Override
    void sync() {
        desks.checkOpen();
        requireNotWriting("cannot sync the map");
        files.log().sync();
    }

    @Override
    long restorePoint() {
        desks.checkOpen();
        requireNotWriting("cannot take a restore point");
        return files.log().sync();
    }

    @Override
    void keepFrom(long restorePoint) {
        desks.checkOpen();
        requireReached(files, restorePoint);
        cleaner.keepFrom(restorePoint);
        cleanerTask.signal();
    }

    @Override
    PendingHome<K, V> pending() {
        desks.checkOpen();
        if (!floor.applies()) {
            throw new LogMismatchException(
                    files.directory() + ": the map was created without pending records, and has none");
        }
        return new PendingHome<>(parts, files.log(), floor, lookups, changes, cleanerTask::signal);
    }

    @Override
    void checkpoint() {
        desks.checkOpen();
        requireOutside("cannot make a checkpoint");
        checkpointNow();
    }

    @Override
    void leaveOutLastCheckpoint() {
        leavesOutLastCheckpoint = true;
    }

    private synchronized void checkpointNow() {
        desks.checkOpen();
        imaging.lock();
        try {
            files.map().awaitImage();
            writeImage(() -> true);
        } finally {
            imaging.unlock();
        }
    }

    /** Returns whether a checkpoint was written; writing is given up when the map is closed. */
    private boolean checkpointUnlessOthersDo() {
        if (!imaging.tryLock()) {
            return false;
        }
        try {
            return files.map().tryImage() && writeImage(() -> !imageTask.isStopped());
        } finally {
            imaging.unlock();
        }
    }

    private boolean writeImage(BooleanSupplier wanted) {
        try {
            return checkpoint.write(parts.index(), parts.changes(), wanted);
        } finally {
            files.map().endImage();
        }
    }

    @Override
    void compact() {
        desks.checkOpen();
        requireOutside("cannot compact the map");
        space.compact();
    }

    @Override
    MapInfo info() {
        desks.checkOpen();
        Log log = files.log();
        IndexMemory memory = parts.index().memory();
        return new MapInfo(
                files.map().types(),
                parts.index().count(),
                memory.steps(),
                memory.bytes(),
                records.headBytes(),
                processes.living(),
                counts.hits(),
                counts.misses(),
                space.info(),
                log.info());
    }

    /** Throws if this thread is in the middle of a call that a closing waits for. */
    @Override
    void requireClosable() {
        requireOutside("cannot close the map");
    }

    @Override
    Path directory() {
        return files.directory();
    }

    @Override
    public void close() {
        requireClosable();
        end();
    }

    private synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        imageTask.stop();
        desks.close();
        parts.index().end();
        ClosingSteps closing = new ClosingSteps();
        closing.take("snapshots", snapshots::close);
        closing.take("changes", this::endChanges);
        closing.end();
    }

    private void endChanges() {
        ClosingSteps steps = new ClosingSteps();
        steps.take("cleaner task", cleanerTask::stop);
        steps.take("threads", parts.changes()::end);
        steps.take("cleaner", cleaner::end);
        steps.take("process", this::leave);
        steps.end();
    }

    private void leave() {
        if (temporary != null) {
            leaveNothing(temporary);
        } else if (files.leave()) {
            try {
                checkpointAtEnd();
            } finally {
                files.closeLast();
            }
        } else {
            processes.leave();
            files.close();
        }
    }

    private void leaveNothing(TemporaryFolder place) {
        try (place) {
            files.leave();
            files.closeLast();
        }
    }

    private void checkpointAtEnd() {
        try {
            if (!leavesOutLastCheckpoint && !checkpoint.isCurrent()) {
                checkpoint.write(parts.index(), parts.changes());
            }
        } catch (RuntimeException | InternalError e) { // the last checkpoint is as good, and costs a longer replay
            LOGGER.log(System.Logger.Level.WARNING, files.directory() + ": no checkpoint was made: " + e, e);
        }
    }
}
