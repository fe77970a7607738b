package dev.larder.map.checkpoint;

import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.LogRecords;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.MapParts;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.index.Lookup;
import dev.larder.map.index.PageBuilder;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.map.shared.IndexLocation;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.Processes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A copy of a map's index as it was at one position of the log: each key has the last record that lies before it.
 *
 * <pre>
 * log    ---------------------|------------------------|--------->
 *                            from     pages are       end
 *                            grace    copied          grace    the log is read again, from..end
 * </pre>
 *
 * <p>Records claimed before <i>from</i> are linked when the copy begins, and no word that it takes leads behind <i>end</i>.
 * Records claimed before <i>end</i> are linked, or padding, when the log is read. A record that is claimed after another change
 * has returned lies behind that one. So if the copy contains a change, it contains all that came before it.
 *
 * <p>A loader commits its batch before it links it. If it met an error or was killed, the batch may stay unlinked
 * ({@link Batches}). The copy leaves out its records that the map does not have.
 *
 * <p>The records stay in place while the copy is open: its maker is pinned as a reader, and has every segment mapped.
 */
public final class IndexCopy implements AutoCloseable {

    private static final int SOLE_OWNER = 1;
    private static final int TRIES_MAX = 100;

    private final IndexFile file;
    private final Index index;
    private final EntryStore store;
    private final Epochs changes;
    private final Epochs reads;

    private IndexCopy(IndexFile file, LogRecords records, PackedPositions places, Deadlines deadlines, MapParts of) {
        this.file = file;
        Processes alone = Processes.enter(file, SOLE_OWNER, owner -> true);
        this.changes = Epochs.ofChanges(file, alone);
        this.reads = Epochs.ofReads(file, alone);
        this.index = new Index(
                records,
                places,
                new Directory(file),
                new IndexMemory(file, alone, changes),
                new LiveBytes(file, alone),
                deadlines,
                Failpoints.NONE);
        this.store = new EntryStore(of.directory(), index, records, position -> {}, Failpoints.NONE);
    }

    /**
     * Copies the index of a map. The copy begins again if a cleaner of any process has dropped a segment that was still to be
     * read. Then this process was stopped in the middle of the copy, or the map is so small that it is written over meanwhile.
     *
     * @throws LogBusyException when another process is in the middle of a change for 10 s; or when the copy has begun again too
     *     often
     * @throws IndexFullException when there is no memory for it
     */
    public static IndexCopy of(MapParts map, MapFiles files, Batches batches, Deadlines deadlines) {
        Optional<IndexCopy> taken = Optional.empty();
        for (int tries = 0; taken.isEmpty(); tries++) {
            taken = tryOnce(map, files, batches, deadlines, tries);
        }
        return taken.get();
    }

    /** Tries to copy; returns empty if a segment was dropped that was still to be read. */
    private static Optional<IndexCopy> tryOnce(
            MapParts map, MapFiles files, Batches batches, Deadlines deadlines, int tries) {
        IndexFile file = files.place()
                .makeUnnamed(
                        files.index().opening().renumbered(IndexLocation.newOpening()),
                        map.index().memory().bytes());
        int first = map.records().firstSegment();
        try {
            Held held = holdAll(map.records());
            map.store().reached("snapshot.held");
            PackedPositions places = new PackedPositions(file.opening().largestSegmentBytes(), held.first());
            IndexCopy copy = new IndexCopy(file, map.records(), places, deadlines, map);
            copy.take(map, files.log(), batches, held);
            return Optional.of(copy);
        } catch (GoneException e) {
            close(file);
            requireDropped(map, first, tries, e);
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            close(file);
            throw e;
        }
    }

    private static void requireDropped(MapParts map, int first, int tries, GoneException met) {
        if (map.records().firstSegment() == first) {
            throw met;
        }
        if (tries == TRIES_MAX) {
            throw new LogBusyException(
                    map.directory()
                            + ": no snapshot was taken: the cleaner dropped segments faster than this call copied the"
                            + " index, "
                            + tries + " times",
                    met);
        }
    }

    /** The range of mapped segments. */
    private record Held(int first, int last) {}

    /** Maps all segments, and returns their range. A segment that is dropped later stays mapped. */
    private static Held holdAll(LogRecords records) {
        while (true) {
            int first = records.firstSegment();
            try {
                int last = records.tailSegment();
                hold(records, first, last);
                return new Held(first, last);
            } catch (GoneException e) {
                if (records.firstSegment() == first) {
                    throw e;
                }
            }
        }
    }

    private static void hold(LogRecords records, int first, int last) {
        for (int segment = first; segment <= last; segment++) {
            records.bytes(Position.of(segment, 0));
        }
    }

    private void take(MapParts map, Log log, Batches batches, Held held) {
        long from = log.endPosition();
        map.changes().awaitOthers();
        IndexWalk walk = new IndexWalk(map.index());
        boolean more = true;
        while (more) {
            more = takeNext(walk, map.changes());
        }
        long end = log.endPosition();
        map.store().reached("snapshot.copied");
        hold(map.records(), held.last() + 1, Position.segment(end)); // segments that others have added since
        map.changes().awaitOthers();
        readAgain(map, log, batches.left(), from, end);
    }

    /**
     * Links the records between two positions. All of them are linked in the map, or overtaken, except those of left
     * batches.
     */
    private void readAgain(MapParts map, Log log, List<Batches.Extent> left, long from, long end) {
        Replay replay = new Replay(store, map.seed());
        Lookup probe = new Lookup();
        Replay.read(log, OptionalLong.of(from), end, (position, record, at, length) -> {
            boolean mayBeLeft = left.stream().anyMatch(extent -> extent.contains(position));
            if (!mayBeLeft || isLinked(map, probe, position, record, at)) {
                replay.link(position, record, at, length);
            }
        });
    }

    /**
     * Returns whether the map has a record or a later one of its key. A batch has no removals, and the cleaner may have
     * forgotten a removal since.
     */
    private static boolean isLinked(MapParts map, Lookup probe, long position, MemorySegment record, long at) {
        if (EntryLayout.isRemoval(EntryLayout.kind(record, at))) {
            return true;
        }
        probe.take(record, at, map.seed());
        map.store().find(probe);
        return probe.state() >= position;
    }

    private boolean takeNext(IndexWalk walk, Epochs changes) {
        int line = changes.pinAnyway();
        try {
            return walk.next((step, place) -> {
                int number = index.install(place);
                new PageBuilder(index.memory().memory(number), IndexMemory.base(number), place).addAll(step);
            });
        } finally {
            changes.unpin(line);
        }
    }

    /** Returns the map's parts with the copy in place of its index. */
    public MapParts partsOf(MapParts map, Deadlines deadlines) {
        return new MapParts(
                map.directory(), map.seed(), map.records(), index, store, map.room(), changes, reads, deadlines);
    }

    @Override
    public void close() {
        close(file);
    }

    private static void close(IndexFile file) {
        file.close();
        file.delete();
    }
}
