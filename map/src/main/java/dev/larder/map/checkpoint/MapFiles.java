package dev.larder.map.checkpoint;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.Log;
import dev.larder.log.LogInfo;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.MapInUseException;
import dev.larder.map.MapTypes;
import dev.larder.map.Sharing;
import dev.larder.map.index.DeadClaims;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexLocation;
import dev.larder.map.shared.MapFile;
import dev.larder.map.shared.OpenMaps;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The files of a map that a process holds open: the map file, the log, and the memory of the index.
 *
 * <pre>
 * gate, join: no one else    log        make the index file    the caller fills it     ready      gate left
 *             others         attach     log                                                       gate left
 * </pre>
 *
 * The index is attached before the log is opened, as the log asks it what becomes of the claims of dead processes.
 *
 * @param first whether no other process has the map open: then the index is empty, and the gate is held until {@link #ready}
 */
public record MapFiles(
        Path directory,
        String identity,
        MapFile map,
        Log log,
        LogRecords records,
        IndexFile index,
        IndexLocation place,
        DeadClaims deadClaims,
        boolean first)
        implements AutoCloseable {

    private static final long ATTACH_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    /** Opens the files, one after the other, and returns with the gate held; on an error the open ones are closed again. */
    public static MapFiles open(Path given, LogOptions options, Sharing sharing, MapTypes types) {
        checkOptions(given, options);
        Path directory = given.toAbsolutePath().normalize();
        Storage storage = HookedOptions.of(options).storage();
        storage.createDirectories(directory, options.access().files());
        String identity = storage.identity(directory);
        if (!OpenMaps.enter(identity)) {
            throw new MapInUseException(
                    directory + ": the map is open in this JVM by another copy of the library, loaded by "
                            + OpenMaps.holder(identity));
        }
        try {
            IndexLocation place = new IndexLocation(directory, options, sharing.folder());
            return open(directory, identity, options, place, types);
        } catch (RuntimeException | Error e) {
            OpenMaps.leave(identity);
            throw e;
        }
    }

    private static void checkOptions(Path directory, LogOptions options) {
        if (options.access().readOnly()) {
            throw new IllegalArgumentException(
                    directory + ": a temporary map is empty, and cannot be opened read-only");
        }
        if (!options.retention().isNone()) {
            throw new IllegalArgumentException(directory + ": a map takes no retention; " + options.retention()
                    + " would drop records that the index points to");
        }
    }

    private static MapFiles open(
            Path directory, String identity, LogOptions options, IndexLocation place, MapTypes types) {
        MapFile map = MapFile.open(directory, options, types);
        try {
            map.enterGate();
            Optional<IndexFile> there = joinOrAttach(map, place);
            return there.isPresent()
                    ? openBeside(directory, identity, options, map, place, there.get())
                    : openFirst(directory, identity, options, map, place);
        } catch (RuntimeException | Error e) {
            map.close();
            throw e;
        }
    }

    /**
     * Joins the processes of the map or attaches to their index; empty if there is no other process. A dying process may still
     * hold a lock, but has no index to attach to.
     */
    private static Optional<IndexFile> joinOrAttach(MapFile map, IndexLocation place) {
        long start = System.nanoTime();
        while (!map.join()) {
            Optional<IndexFile> there = place.attach();
            if (there.isPresent()) {
                return there;
            }
            map.leave();
            if (System.nanoTime() - start > ATTACH_NANOS) {
                throw new MapInUseException(map.path() + ": another process has the map open, and its index, "
                        + place.describe() + ", is not visible to this process; choose a folder that both see");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Optional.empty();
    }

    private static MapFiles openFirst(
            Path directory, String identity, LogOptions options, MapFile map, IndexLocation place) {
        DeadClaims deadClaims = new DeadClaims();
        Log log = openLog(directory, options, deadClaims);
        try {
            LogInfo info = log.info();
            IndexFile index = place.make(
                    new IndexFile.Opening(
                            IndexLocation.newOpening(), info.identity(), map.seed(), info.largestSegmentBytes()),
                    CheckpointReader.sizeBytes(
                            directory, HookedOptions.of(options).storage()));
            return new MapFiles(
                    directory, identity, map, log, recordsOrRemove(log, place, index), index, place, deadClaims, true);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    private static LogRecords recordsOrRemove(Log log, IndexLocation place, IndexFile index) {
        try {
            return LogRecords.of(log);
        } catch (RuntimeException | Error e) {
            index.close();
            place.remove(index);
            throw e;
        }
    }

    private static MapFiles openBeside(
            Path directory, String identity, LogOptions options, MapFile map, IndexLocation place, IndexFile index) {
        try {
            DeadClaims deadClaims = new DeadClaims();
            deadClaims.lookAt(index);
            Log log = openLog(directory, options, deadClaims);
            return new MapFiles(directory, identity, map, log, recordsOrClose(log), index, place, deadClaims, false);
        } catch (RuntimeException | Error e) {
            index.close();
            throw e;
        }
    }

    /** A log that stayed open would refuse every later opening of the map by this process. */
    private static LogRecords recordsOrClose(Log log) {
        try {
            return LogRecords.of(log);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    private static Log openLog(Path directory, LogOptions options, DeadClaims deadClaims) {
        return Log.open(
                directory,
                HookedOptions.with(options, doors -> doors.withLinked(true).withResolver(deadClaims)));
    }

    /** Admits other processes: the index is whole. */
    public void ready() {
        if (first) {
            deadClaims.lookAt(index);
            index.makeReady();
        }
        map.leaveGate();
    }

    /**
     * Leaves the processes that have the map open, and waits for the gate, which is held until {@link #close}. Returns whether
     * no other process is left.
     */
    public boolean leave() {
        boolean interrupted = false;
        boolean entered = false;
        while (!entered) {
            try {
                map.enterGate();
                entered = true;
            } catch (InterruptedWaitException e) {
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return map.leave();
    }

    /** Closes all files, removes the index, and leaves the gate. No other process is left, or can come. */
    public void closeLast() {
        try {
            closeLog();
        } finally {
            index.close();
            place.remove(index);
            closeMap();
        }
    }

    /** Closes all files, and leaves the gate. */
    @Override
    public void close() {
        try {
            closeLog();
        } finally {
            index.close();
            closeMap();
        }
    }

    private void closeLog() {
        try {
            records.close();
        } finally {
            log.close();
        }
    }

    private void closeMap() {
        map.close();
        OpenMaps.leave(identity);
    }
}
