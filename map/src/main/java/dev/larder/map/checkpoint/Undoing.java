package dev.larder.map.checkpoint;

import dev.larder.log.Log;
import dev.larder.log.random.LogRecords;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.MapParts;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.Condition;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.Epochs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Takes a map back to a restore point: changes at the end of the log undo the changes behind the point.
 *
 * <pre>
 *                 restore point               end
 * a=1  b=2   c=3  |  a=4   d=5   remove b    |  a=1   remove d   b=2
 *   the index     |     read, not linked     |  put again, or removed
 * </pre>
 *
 * <p>No record is touched, so nothing is lost if this is cut short: the next opening begins again, and also undoes the records
 * that this one wrote. Meanwhile the index shows the restore point, as no record behind it is linked.
 */
public final class Undoing {

    /**
     * The former state of a key: its record before the restore point. If there was none, a record behind the point that names
     * the key.
     */
    private record Former(boolean isThere, long position, int length) {}

    private final Log log;
    private final LogRecords records;
    private final EntryStore store;
    private final Epochs changes;
    private final long seed;
    private final Lookup probe = new Lookup(EntryStore.class);
    private final Map<ByteBuffer, Former> touched = new HashMap<>();

    public Undoing(Log log, MapParts parts) {
        this.log = log;
        this.records = parts.records();
        this.store = parts.store();
        this.changes = parts.changes();
        this.seed = parts.seed();
    }

    /** Undoes the changes behind a position, up to which the index was made. */
    public void run(long point) {
        long end = log.endPosition();
        if (point < end) {
            Replay.read(log, OptionalLong.of(point), end, this::note);
            touched.values().forEach(this::undo);
        }
    }

    private void note(long position, MemorySegment record, long at, int length) {
        int line = changes.pinAnyway();
        try {
            probe.take(record, at, seed);
            store.find(probe);
            if (probe.holdsValue()) {
                touched.put(key(), new Former(true, probe.position, probe.length));
            } else if (!EntryLayout.isRemoval(EntryLayout.kind(record, at))) {
                touched.put(key(), new Former(false, position, length));
            }
        } finally {
            changes.unpin(line);
        }
    }

    private ByteBuffer key() {
        return ByteBuffer.wrap(probe.key.asSlice(0, probe.keyLength).toArray(ValueLayout.JAVA_BYTE));
    }

    private void undo(Former former) {
        int line = changes.pinAnyway();
        try {
            MemorySegment bytes = records.bytes(former.position());
            probe.take(bytes, LogRecords.payload(former.position()), seed);
            if (former.isThere()) {
                probe.deadline = EntryLayout.deadline(bytes, LogRecords.payload(former.position()));
                store.putAgain(probe, former.position(), bytes, former.length());
            } else {
                store.find(probe);
                long live = EntryLayout.liveLength(bytes, LogRecords.payload(former.position()), former.length());
                store.linkCommitted(probe, former.position(), live, false);
                store.remove(probe, Condition.ALWAYS);
            }
        } finally {
            changes.unpin(line);
        }
    }
}
