package dev.larder.log;

import dev.larder.log.ControlFile.Ending;
import dev.larder.log.ControlFile.State;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.UnsupportedFileSystemException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The way into a log. Under GATE, so that "am I the first?" has one answer.
 *
 * <pre>
 * others alive                         attach; dead claims are resolved on demand
 * first, left CLEAN                    nothing to look for
 * first, OPEN, same boot and mount     a process crashed: memory is whole, dead claims become padding
 * first, OPEN, otherwise               the power failed: {@link PowerLossRecovery}
 * </pre>
 */
final class Opening {

    private static final long GATE_WAIT_NANOS = 30_000_000_000L;
    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final Path directory;
    private final LogOptions options;
    private final Storage storage;
    private final Steps steps;

    Opening(Path directory, LogOptions options) {
        this.directory = directory;
        this.options = options;
        this.storage = options.storage();
        this.steps = options.steps();
    }

    /** Returns 64 bits of an identity; 0 when it is unknown. */
    static long hash(String identity) {
        return identity.isEmpty()
                ? 0
                : UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8))
                                .getMostSignificantBits()
                        | 1;
    }

    /** Returns whether a later opening can tell that memory still holds what was written: boot and mount are known. */
    static boolean tellsCrashFromPowerLoss(Storage storage, Path directory) {
        return !storage.bootIdentity().isEmpty()
                && !storage.mountIdentity(directory).isEmpty();
    }

    LogSession open() {
        return options.readOnly() ? openReadOnly() : openWriting();
    }

    private LogSession openReadOnly() {
        ControlFile control = new ControlFile(
                storage.open(directory.resolve(ControlLayout.FILE_NAME), false)
                        .orElseThrow(() -> new StorageException(directory + ": there is no log here")),
                false);
        try {
            checkOptions(control);
            LogCounters none = LogCounters.none();
            Segments segments =
                    new Segments(directory, options, control, new Pins(control, -1), Optional.empty(), none);
            long limit = mayBelieve(control) ? Long.MAX_VALUE : new PowerLossRecovery(control, segments).end();
            LogFailure failure = new LogFailure(directory, control, -1);
            return new LogSession(
                    directory, options, control, segments, failure, none, Arena.ofShared(), null, false, limit);
        } catch (RuntimeException | Error e) {
            control.close();
            throw e;
        }
    }

    /** Returns whether memory shows what was written: the log was closed, or this is the boot that it was opened in. */
    private boolean mayBelieve(ControlFile control) {
        long boot = hash(storage.bootIdentity());
        return control.ending()
                .map(ending -> (boot != 0 && ending.boot() == boot)
                        || (ending.state() == State.CLEAN && ending.durable() >= ending.tail()))
                .orElse(false);
    }

    private LogSession openWriting() {
        checkDirectory();
        LockFile locks = new LockFile(openLockFile(), storage);
        try {
            locks.lock(LockFile.GATE, "the gate (another process opens or closes the log)", GATE_WAIT_NANOS);
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
        if (kind.isRemote() && !options.allowRemote()) {
            throw new UnsupportedFileSystemException(directory + ": lies on a file system of type " + kind.name()
                    + ", where mappings are not shared between machines and locks may not be; allowRemote accepts it");
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (isNew && parent != null) {
            storage.syncDirectory(parent);
        }
    }

    private StorageFile openLockFile() {
        Path path = directory.resolve(LockFile.FILE_NAME);
        return storage.open(path, true)
                .or(() -> storage.create(path, options.access()))
                .or(() -> storage.open(path, true))
                .orElseThrow(() -> new StorageException(path + ": the lock file cannot be made"));
    }

    private LogSession openUnderGate(LockFile locks) {
        steps.reached("register.gate");
        boolean isNew = createControl();
        ControlFile control = new ControlFile(
                storage.open(directory.resolve(ControlLayout.FILE_NAME), true).orElseThrow(), true);
        Arena countersArena = Arena.ofShared();
        try {
            checkOptions(control);
            boolean first = !Slots.anyAlive(control, locks);
            int slot = Slots.take(control, locks);
            steps.reached("register.taken");
            LogCounters counters = LogCounters.open(directory, storage, options.access(), countersArena);
            Pins pins = new Pins(control, slot);
            Segments segments =
                    new Segments(directory, options, control, pins, Optional.of(making(control, slot)), counters);
            int owner = Slots.owner(slot, control.generationAcquire(slot));
            Claims claims = new Claims(control, locks, owner, options, counters);
            if (first) {
                PrivateFiles.clean(directory, storage, control, locks, slot);
                recover(control, segments, claims, counters, isNew);
                open(control);
            }
            steps.reached("register.recovered");
            LogFailure failure = new LogFailure(directory, control, slot);
            Syncer syncer = new Syncer(options, directory, segments, control, locks, claims, failure, counters);
            return new LogSession(
                    directory,
                    options,
                    control,
                    segments,
                    failure,
                    counters,
                    countersArena,
                    new LogSession.Writing(locks, slot, claims, syncer),
                    allocation() == Allocation.GROW,
                    Long.MAX_VALUE);
        } catch (RuntimeException | Error e) {
            countersArena.close();
            control.close();
            throw e;
        }
    }

    private Allocation allocation() {
        return options.allocation()
                .orElseGet(() -> storage.fileSystem(directory).allocation());
    }

    private Segments.Making making(ControlFile control, int slot) {
        return new Segments.Making(
                control.integrity(),
                allocation(),
                options.access(),
                control.largestSegmentBytes(),
                PrivateFiles.prefix(slot, control.generationAcquire(slot)));
    }

    /** Makes the control file of a new log, whole under a private name; returns whether it was made. */
    private boolean createControl() {
        Path path = directory.resolve(ControlLayout.FILE_NAME);
        Optional<StorageFile> there = storage.open(path, true);
        there.ifPresent(StorageFile::close);
        if (there.isPresent()) {
            return false;
        }
        checkNoSegments();
        Path temporary = directory.resolve("new-log" + PrivateFiles.SUFFIX);
        storage.delete(temporary);
        try (StorageFile file = storage.create(temporary, options.access()).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(ControlLayout.SIZE_BYTES, Allocation.RESERVE);
            long largest = options.largestSegmentBytes() == 0
                    ? LogOptions.LARGEST_SEGMENT_DEFAULT_BYTES
                    : options.largestSegmentBytes();
            ControlFile.format(
                    file.map(0, ControlLayout.SIZE_BYTES, true, arena),
                    UUID.randomUUID(),
                    options.integrity().orElseGet(this::defaultIntegrity),
                    largest,
                    storage.currentTimeMillis());
            file.forceAll();
        }
        storage.rename(temporary, path);
        storage.syncDirectory(directory);
        return true;
    }

    /**
     * Seals keep what was not synced over a crash of a process only where that can be told from a loss of power; where
     * it cannot, each record is checked.
     */
    private IntegrityMode defaultIntegrity() {
        return tellsCrashFromPowerLoss(storage, directory) ? IntegrityMode.SEAL : IntegrityMode.RECORD;
    }

    private void checkNoSegments() {
        storage.list(directory).stream()
                .filter(name -> SegmentLayout.numberOf(name) >= 0)
                .findFirst()
                .ifPresent(name -> {
                    throw new CorruptException(
                            directory + ": there is a segment " + name + " but no " + ControlLayout.FILE_NAME);
                });
    }

    private void checkOptions(ControlFile control) {
        options.integrity().filter(asked -> asked != control.integrity()).ifPresent(asked -> {
            throw new LogMismatchException(
                    directory + ": the log was created with integrity " + control.integrity() + ", asked for " + asked);
        });
        long largest = options.largestSegmentBytes();
        if (largest != 0 && largest != control.largestSegmentBytes()) {
            throw new LogMismatchException(directory + ": the log was created with segments of up to "
                    + control.largestSegmentBytes() + " bytes, asked for " + largest);
        }
    }

    private void recover(ControlFile control, Segments segments, Claims claims, LogCounters counters, boolean isNew) {
        Optional<Ending> ending = control.ending();
        boolean unused =
                isNew || (control.place().isEmpty() && segments.numbers().isEmpty());
        if (unused) {
            start(control, segments);
        } else if (isClean(ending)) {
            control.setTail(Position.segment(ending.orElseThrow().tail()));
            control.durableRelease(ending.orElseThrow().durable());
        } else if (isSameMemory(ending)) {
            found("a process crash", counters);
            settleDeadClaims(control, segments, claims);
        } else {
            found("a power loss: " + new PowerLossRecovery(control, segments).recover(storage, directory), counters);
        }
    }

    private void found(String what, LogCounters counters) {
        RecoveryEvent event = new RecoveryEvent();
        event.directory = directory.toString();
        event.found = what;
        event.commit();
        counters.add(LogCounters.Counter.RECOVERIES, 1);
        LOGGER.log(System.Logger.Level.INFO, directory + ": opened after " + what);
    }

    private void start(ControlFile control, Segments segments) {
        Segment first = segments.create(0, SegmentLayout.SIZE_MIN_BYTES);
        control.durableRelease(first.position(first.head));
        control.setTail(0);
        first.force(first.head, storage);
        storage.syncDirectory(directory);
        segments.release(first);
    }

    private boolean isClean(Optional<Ending> ending) {
        return ending.filter(left -> left.state() == State.CLEAN)
                .filter(left -> left.durable() >= left.tail() || isSameMemory(ending))
                .isPresent();
    }

    private boolean isSameMemory(Optional<Ending> ending) {
        long boot = hash(storage.bootIdentity());
        long mount = hash(storage.mountIdentity(directory));
        return ending.filter(left -> boot != 0 && mount != 0 && left.boot() == boot && left.mount() == mount)
                .isPresent();
    }

    /** Everybody else is dead, so every claim is. */
    private static void settleDeadClaims(ControlFile control, Segments segments, Claims claims) {
        SettledWalk walk = new SettledWalk(segments, control.durableAcquire(), false);
        walk.advance(control.durableAcquire());
        while (RecordWord.state(walk.word()) == RecordWord.RESERVED) {
            claims.settle(walk.segment(), walk.offset(), walk.word());
            walk.advance(control.durableAcquire());
        }
        walk.close();
    }

    /** Says that the log is in use, durably, before the first append. */
    private void open(ControlFile control) {
        long durable = control.durableAcquire();
        control.ending(new Ending(
                State.OPEN, durable, durable, hash(storage.bootIdentity()), hash(storage.mountIdentity(directory))));
        control.force();
    }
}
