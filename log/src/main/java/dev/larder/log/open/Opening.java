package dev.larder.log.open;

import dev.larder.log.LogBusyException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.read.SegmentStarts;
import dev.larder.log.retain.Dropping;
import dev.larder.log.segment.SegmentMaking;
import dev.larder.log.segment.SegmentMaking.Presence;
import dev.larder.log.segment.Segments;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.LogFailure;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.log.shared.Slots;
import dev.larder.log.sync.Syncer;
import dev.larder.log.write.Claims;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.Allocation;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.KeptArena;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.UnsupportedFileSystemException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The opening of a log. It runs under GATE, so that only one process finds that it is the first. The first process recovers
 * the log ({@link FirstOpening}). Others attach, and a dead claim is resolved when a process meets it.
 */
public final class Opening {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private static final LogSession.Later LATER =
            new LogSession.Later(SegmentStarts::new, (session, writing) -> new Closing(session, writing).close());

    private static final long GATE_WAIT_NANOS = 30_000_000_000L;

    private final Path directory;
    private final LogOptions options;
    private final Storage storage;
    private final Failpoints steps;

    public Opening(Path directory, LogOptions options) {
        this.directory = directory;
        this.options = options;
        this.storage = HookedOptions.storage(options);
        this.steps = HookedOptions.of(options).failpoints();
    }

    public LogSession open() {
        try {
            return options.access().readOnly() ? openReadOnly() : openWriting();
        } catch (InternalError e) {
            throw new StorageException(directory + ": an access to a mapped file failed while the log was opened", e);
        }
    }

    private LogSession openReadOnly() {
        ControlFile control = ControlFile.open(
                storage.open(directory.resolve(ControlLayout.FILE_NAME), false)
                        .orElseThrow(() -> new StorageException(directory + ": there is no log here")),
                false,
                storage,
                Arena.ofShared());
        try {
            checkOptions(control);
            return openReadOnly(control);
        } catch (RuntimeException | Error e) {
            control.close();
            throw e;
        }
    }

    private LogSession openReadOnly(ControlFile control) {
        CountersFile none = CountersFile.none();
        Segments segments = new Segments(directory, options, control, new Pins(control, -1), Optional.empty(), none);
        try {
            ReadOnlyView view = ReadOnlyView.of(directory, options, control, segments);
            LogFailure failure = new LogFailure(directory, control, -1);
            AccessErrors.deliver();
            return new LogSession(
                    directory, options, control, segments, failure, none, Arena.ofShared(), null, false, view, LATER);
        } catch (RuntimeException | Error e) {
            segments.close();
            throw e;
        }
    }

    private LogSession openWriting() {
        checkDirectory();
        LockFile locks = new LockFile(openLockFile(), storage);
        try {
            locks.lock(LockFile.GATE, "the open-close lock", GATE_WAIT_NANOS);
            try {
                return openUnderGate(locks);
            } finally {
                locks.unlock(LockFile.GATE);
            }
        } catch (RuntimeException | Error e) {
            locks.close();
            throw e;
        }
    }

    private void checkDirectory() {
        boolean isNew = storage.list(directory).isEmpty();
        FileSystemKind kind = storage.fileSystem(directory);
        if (kind.isRemote() && !options.access().allowRemote()) {
            throw new UnsupportedFileSystemException(directory + ": lies on a file system of type " + kind.name()
                    + ", where machines share no mappings and perhaps no locks; the option allowRemote accepts it");
        }
        if (!kind.mayHaveHardLinks()) {
            throw new UnsupportedFileSystemException(directory + ": lies on a file system of type " + kind.name()
                    + ", which has no hard links: Larder needs them to create segments; you can open the log"
                    + " read-only");
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (isNew && parent != null) {
            storage.syncDirectory(parent);
        }
    }

    private StorageFile openLockFile() {
        Path path = directory.resolve(LockFile.FILE_NAME);
        return storage.open(path, true)
                .or(() -> createLockFile(path))
                .or(() -> storage.open(path, true))
                .orElseThrow(() -> new StorageException(path + ": cannot create the lock file"));
    }

    /**
     * Makes the lock file of a new log, or of a log that was closed. If the log was not closed, the file was deleted, perhaps
     * under a process that has the log open. Other processes would not see the locks of that process.
     */
    private Optional<StorageFile> createLockFile(Path path) {
        boolean exists = requireClosed(path);
        Optional<StorageFile> created = storage.create(path, options.access().files());
        if (exists && created.isPresent()) {
            storage.syncDirectory(directory); // before the log is marked as open, which is durable
        }
        return created;
    }

    /** Returns whether there is a log; fails where it was opened, and is not marked as closed. */
    private boolean requireClosed(Path lockFile) {
        Optional<StorageFile> file = storage.open(directory.resolve(ControlLayout.FILE_NAME), false);
        if (file.isEmpty()) {
            return false;
        }
        try (ControlFile control = new ControlFile(file.get(), false)) {
            boolean clean = control.ending()
                    .filter(left -> left.state() == ControlFile.State.CLEAN)
                    .isPresent();
            if (!clean && control.wasOpened()) { // also where a process was killed while it stored the state
                throw new LogBusyException(
                        lockFile + ": the lock file is missing, and the log was not closed: a process may"
                                + " have it open. Once none has, make an empty file of that name");
            }
        }
        return true;
    }

    private LogSession openUnderGate(LockFile locks) {
        steps.reached("register.gate");
        new Creation(directory, options).createControl();
        ControlFile control = ControlFile.open(
                storage.open(directory.resolve(ControlLayout.FILE_NAME), true).orElseThrow(),
                true,
                storage,
                HookedOptions.of(options).linked() ? new KeptArena() : Arena.ofShared());
        try {
            checkOptions(control);
            return openUnderGate(locks, control);
        } catch (RuntimeException | Error e) {
            control.close();
            throw e;
        }
    }

    private LogSession openUnderGate(LockFile locks, ControlFile control) {
        Arena countersArena = Arena.ofShared();
        try {
            boolean first = !Slots.anyAlive(control, locks, -1);
            int slot = Slots.take(control, locks, first || settles(control), steps);
            return openInSlot(locks, control, slot, first, countersArena);
        } catch (RuntimeException | Error e) {
            countersArena.close();
            throw e;
        }
    }

    /**
     * Opens the log in a slot. On a failure it frees LIVE while GATE is held. Otherwise a process that opens the log in
     * between would see this one alive, and would skip the recovery that this one left undone.
     */
    private LogSession openInSlot(LockFile locks, ControlFile control, int slot, boolean first, Arena countersArena) {
        try {
            control.whenFailed(slot, () -> {}); // a flush may fail before there is anything to stop
            steps.reached("register.taken");
            CountersFile counters =
                    CountersFile.open(directory, storage, options.access().files(), countersArena);
            return attach(locks, control, slot, first, counters, countersArena);
        } catch (RuntimeException | Error e) {
            locks.unlock(LockFile.live(slot));
            throw e;
        }
    }

    /**
     * Returns whether this process may settle claims. Only the processes of a map know whether a dead owner's claim was
     * linked, and is to be committed.
     */
    private boolean settles(ControlFile control) {
        return !control.isLinked() || HookedOptions.of(options).linked();
    }

    private LogSession attach(
            LockFile locks, ControlFile control, int slot, boolean first, CountersFile counters, Arena countersArena) {
        Pins pins = new Pins(control, slot);
        Segments segments =
                new Segments(directory, options, control, pins, Optional.of(making(control, slot)), counters);
        try {
            Claims dead = claims(control, locks, slot, counters);
            PrivateFiles.clean(directory, storage, control, locks, slot);
            if (first) {
                new FirstOpening(directory, options, control, segments, dead, counters).recover();
            }
            requireWhole(segments, control);
            steps.reached("register.recovered");
            beginLap(control, segments, dead, slot);
            Claims claims = claims(control, locks, slot, counters);
            LogFailure failure = new LogFailure(directory, control, slot);
            Syncer syncer = new Syncer(options, directory, segments, control, locks, claims, failure, counters);
            Dropping dropping = new Dropping(directory, options, control, locks, slot, segments, claims, counters);
            dropping.boundSegments();
            AccessErrors.deliver();
            LogSession session = new LogSession(
                    directory,
                    options,
                    control,
                    segments,
                    failure,
                    counters,
                    countersArena,
                    new LogSession.Writing(locks, slot, claims, syncer, dropping),
                    !allocation().isReserved(),
                    null,
                    LATER);
            startSync(session);
            return session;
        } catch (RuntimeException | Error e) {
            segments.close();
            throw e;
        }
    }

    /**
     * Starts the background where the policy syncs at an interval. It makes durable what a killed process has left, or leaves
     * later, although this process may append nothing for hours. Where no thread can be started, the first appender tries
     * again.
     */
    private static void startSync(LogSession session) {
        try {
            if (session.options.durability().sync().kind() == SyncPolicy.Kind.INTERVAL) {
                session.maintenance();
            }
        } catch (LarderException | OutOfMemoryError | StackOverflowError e) {
            LOGGER.log(System.Logger.Level.DEBUG, "left to the first appender", e);
        }
    }

    /** Fails where a segment is missing: appending to a log that has lost a segment would hide the loss behind new records. */
    private static void requireWhole(Segments segments, ControlFile control) {
        OptionalInt missing = segments.files().missingUpTo(control.tailAcquire());
        if (missing.isPresent()) {
            throw segments.missing(missing.getAsInt());
        }
    }

    private Claims claims(ControlFile control, LockFile locks, int slot, CountersFile counters) {
        int owner = Slots.owner(slot, control.generationAcquire(slot));
        return new Claims(control, locks, owner, options, counters);
    }

    /** Moves to a generation that claims may carry, but only after no claim with that generation is left. */
    private static void beginLap(ControlFile control, Segments segments, Claims dead, int slot) {
        long generation = control.generationAcquire(slot);
        if (Slots.isBetweenLaps(generation)) {
            new FormerClaims(segments, control, dead).settle(slot);
            control.generationRelease(slot, generation + 1);
        }
    }

    private Allocation allocation() {
        return options.layout()
                .allocation()
                .orElseGet(() -> storage.fileSystem(directory).allocation());
    }

    private SegmentMaking.How making(ControlFile control, int slot) {
        Allocation allocation = allocation();
        return new SegmentMaking.How(
                control.identity(),
                control.integrity(),
                allocation,
                options.access().files(),
                control.largestSegmentBytes(),
                PrivateFiles.prefix(slot, control.generationAcquire(slot)),
                presence(allocation),
                options.durability().sync().kind() == SyncPolicy.Kind.EVERY_APPEND);
    }

    /**
     * Returns how pages are made present. A linked log's records are read at random positions, so address translation matters.
     */
    private Presence presence(Allocation allocation) {
        if (!HookedOptions.of(options).linked() || !allocation.isReserved()) {
            return Presence.NONE;
        }
        boolean isMemory = storage.isNative() && storage.fileSystem(directory).isMemory();
        return isMemory ? Presence.LARGE_PAGES : Presence.ZEROS;
    }

    private void checkOptions(ControlFile control) {
        options.durability()
                .integrity()
                .filter(asked -> asked != control.integrity())
                .ifPresent(asked -> {
                    throw new LogMismatchException(directory + ": the log was created with integrity "
                            + control.integrity() + ", asked for " + asked);
                });
        control.retention(); // fails where it is damaged
        if (control.isLinked() && !options.retention().isNone()) {
            throw new LogMismatchException(
                    directory + ": the log belongs to a map, and only the map drops its records; "
                            + "asked for retention " + options.retention());
        }
        long largest = options.layout().largestSegmentBytes();
        if (largest != 0 && largest != control.largestSegmentBytes()) {
            throw new LogMismatchException(directory + ": the log was created with segments of up to "
                    + control.largestSegmentBytes() + " bytes, asked for " + largest);
        }
    }
}
