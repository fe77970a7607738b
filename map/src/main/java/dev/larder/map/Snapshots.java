package dev.larder.map;

import dev.larder.log.FlightEvents;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.map.checkpoint.IndexCopy;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.checkpoint.SnapshotEvent;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.ThreadStates;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.index.Deadlines;
import dev.larder.map.shared.Batches;
import dev.larder.memory.ClosedException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open snapshots of a map in this process. Each is pinned as a reader, so that nothing it refers to is unmapped.
 */
final class Snapshots<K, V> {

    /** The largest number of open snapshots. Each takes one of the lines at which this process's readers pin. */
    private static final int OPEN_MAX = IndexFileLayout.LINES / 4;

    private final MapParts map;
    private final MapFiles files;
    private final Batches batches;
    private final ThreadStates.Maker<K, V> desks;
    private final Map<MapSnapshot<K, V>, Object> open = new ConcurrentHashMap<>();
    private boolean closed;

    Snapshots(MapParts map, MapFiles files, Batches batches, ThreadStates.Maker<K, V> desks) {
        this.map = map;
        this.files = files;
        this.batches = batches;
        this.desks = desks;
    }

    /**
     * Takes a snapshot, one at a time.
     *
     * @param owner the opening that takes it, for {@link #closeOf}
     * @throws IllegalStateException if too many are open
     */
    synchronized MapSnapshot<K, V> take(Object owner) {
        if (closed) {
            throw new ClosedException(files.directory() + ": the map was closed");
        }
        if (open.size() >= OPEN_MAX) {
            throw new IllegalStateException(files.directory() + ": " + open.size()
                    + " snapshots are open, the most that a map may have: close some");
        }
        int line = map.reads().pinAnyway();
        try {
            MapSnapshot<K, V> taken = take(line, owner);
            map.reads().keep(line);
            return taken;
        } catch (RuntimeException | Error e) {
            map.reads().unpin(line);
            throw e;
        }
    }

    private MapSnapshot<K, V> take(int line, Object owner) {
        long millis = map.deadlines().nowMillis();
        Deadlines deadlines = new Deadlines(Lifetime.endless(), () -> millis);
        Optional<SnapshotEvent> event = FlightEvents.ifRecorded(SnapshotEvent::start);
        IndexCopy copy = IndexCopy.of(map, files, batches, deadlines);
        MapParts parts = copy.partsOf(map, deadlines);
        event.ifPresent(told -> told.finish(files.directory(), parts.index().count()));
        MapSnapshot<K, V> taken = new MapSnapshot<>(
                parts, Instant.ofEpochMilli(millis), new ThreadStates<>(parts, "snapshot", desks), done -> {
                    open.remove(done);
                    ClosingSteps closing = new ClosingSteps(map.store()::reached);
                    closing.take("snapshot", copy::close);
                    closing.take("pin", () -> map.reads().unpin(line));
                    closing.end();
                });
        open.put(taken, owner);
        return taken;
    }

    /** Closes the snapshots of an owner. */
    @SuppressWarnings("ReferenceEquality") // maps with equal entries are equal
    synchronized void closeOf(Object owner) {
        ClosingSteps closing = new ClosingSteps();
        open.forEach((snapshot, other) -> {
            if (other == owner) {
                closing.take("snapshot", snapshot::close);
            }
        });
        closing.end();
    }

    /** Closes all snapshots. */
    synchronized void close() {
        closed = true;
        ClosingSteps closing = new ClosingSteps();
        open.keySet().forEach(snapshot -> closing.take("snapshot", snapshot::close));
        closing.end();
    }
}
