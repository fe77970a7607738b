package dev.larder.map.checkpoint;

import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.Room;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.map.shared.IndexLocation;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.Processes;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The index of a map as it was at one moment. A process that only reads the map's files makes it from the checkpoint and the
 * log, in memory of its own.
 *
 * <pre>
 * keep files      hold all segments      checkpoint      log, replay..end      hold new segments
 *                 first is fixed         words below     moment of the map
 *                                        first left out
 * </pre>
 *
 * <p>Other processes may change the map meanwhile, and drop segments. The bytes of a held segment do not change: its file is
 * not reused. So this index takes in no later change. If a segment was dropped that was still to be held or read, all begins
 * again.
 */
public final class FrozenIndex implements AutoCloseable {

    private static final int SOLE_OWNER = 1;
    private static final int TRIES_MAX = 100;

    private final LogRecords records;
    private final IndexFile file;
    private final MapParts parts;

    private FrozenIndex(LogRecords records, IndexFile file, MapParts parts) {
        this.records = records;
        this.file = file;
        this.parts = parts;
    }

    /**
     * Makes the index of a map whose log was opened read-only.
     *
     * @param folder the folder of its memory; empty for the machine's choice
     * @throws LogBusyException when it has begun again too often; or when the log has a claim of a live process that is stopped
     * @throws IndexFullException when there is no memory for it
     */
    public static FrozenIndex of(
            Log log, LogOptions options, Optional<Path> folder, long seed, Deadlines deadlines, Room room) {
        IndexLocation place =
                new IndexLocation(log.directory(), options, folder.or(() -> Optional.of(IndexLocation.memoryFolder())));
        for (int tries = 0; ; tries++) {
            LogRecords records = LogRecords.reading(log);
            int first = records.firstSegment();
            try {
                return make(log, options, records, place, seed, deadlines, room);
            } catch (GoneException e) {
                requireDropped(records, first, tries, e);
                records.close();
            } catch (RuntimeException | Error e) {
                records.close();
                throw e;
            }
        }
    }

    private static void requireDropped(LogRecords records, int first, int tries, GoneException met) {
        if (records.firstSegment() == first) {
            records.close();
            throw met;
        }
        if (tries == TRIES_MAX) {
            records.close();
            throw new LogBusyException(
                    records.directory()
                            + ": the map was not opened read-only: the cleaner dropped segments faster than this call"
                            + " read them, "
                            + tries + " times",
                    met);
        }
    }

    private static FrozenIndex make(
            Log log,
            LogOptions options,
            LogRecords records,
            IndexLocation place,
            long seed,
            Deadlines deadlines,
            Room room) {
        int first = records.firstSegment();
        hold(log, records, first);
        IndexFile file = place.makeUnnamed(
                new IndexFile.Opening(
                        IndexLocation.newOpening(),
                        log.info().identity(),
                        seed,
                        log.info().largestSegmentBytes()),
                CheckpointReader.sizeBytes(
                        log.directory(), HookedOptions.of(options).storage()));
        try {
            MapParts parts = parts(records, file, first, deadlines, room);
            fill(log, options, file, parts, first);
            hold(log, records, first);
            return new FrozenIndex(records, file, parts);
        } catch (RuntimeException | Error e) {
            file.close();
            file.delete();
            throw e;
        }
    }

    /** Maps all segments from a given one up to the end of the log: a segment dropped from now on stays mapped. */
    private static void hold(Log log, LogRecords records, int first) {
        for (int segment = first; segment <= Position.segment(log.endPosition()); segment++) {
            records.bytes(Position.of(segment, 0));
        }
    }

    private static MapParts parts(LogRecords records, IndexFile file, int first, Deadlines deadlines, Room room) {
        Processes alone = Processes.enter(file, SOLE_OWNER, owner -> true);
        Epochs changes = Epochs.ofChanges(file, alone);
        Index index = new Index(
                records,
                new PackedPositions(file.opening().largestSegmentBytes(), first),
                new Directory(file),
                new IndexMemory(file, alone, changes),
                new LiveBytes(file, alone),
                deadlines,
                Failpoints.NONE);
        EntryStore store = new EntryStore(records.directory(), index, records, position -> {}, Failpoints.NONE);
        return new MapParts(
                records.directory(),
                file.opening().seed(),
                records,
                index,
                store,
                room,
                changes,
                Epochs.ofReads(file, alone),
                deadlines);
    }

    /**
     * Fills the index, from the first held segment and not from the log's present first one: the removal of a key may lie
     * there.
     */
    private static void fill(Log log, LogOptions options, IndexFile file, MapParts parts, int first) {
        CheckpointLoad load = new CheckpointLoad(log, HookedOptions.of(options).storage(), file.opening(), parts);
        OptionalLong replay = load.run();
        long from = Math.max(replay.orElse(0), Position.of(first, 0));
        new ParallelReplay(log, parts).run(OptionalLong.of(from));
    }

    /** Returns the parts of the map, which must not be changed. */
    public MapParts parts() {
        return parts;
    }

    /** Frees its memory, and releases the segments. */
    @Override
    public void close() {
        try {
            records.close();
        } finally {
            file.close();
            file.delete();
        }
    }
}
