package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.LogSalvage;
import dev.larder.log.Position;
import dev.larder.log.SalvageReport;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.ProblemList;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new map from the sound records of a damaged one. It only reads the damaged map, which need not open. It reads
 * the log, record after record, in the order of writing, and not the checkpoint. The new map gets the names of the
 * codecs that {@code map.ctl} stores.
 *
 * <p>If the last record of a key is damaged, the previous one counts, if the log still has it. The key then has an
 * older value, or an entry that was removed. The report names the position; the record's key is not known. An evicted
 * entry that is still in the oldest segment comes back.
 */
public final class MapRepair {

    private static final int UNKNOWN = -1;

    private final Path damaged;
    private final LarderMap<byte[], byte[]> target;
    private final LogOptions options;
    private final ProblemList problems = new ProblemList();

    /** Pending records by their positions, in a map beside the new one; null until the first one. */
    private @Nullable LarderMap<Long, byte[]> pending;

    /** The segment of the first record found. */
    private int first = UNKNOWN;

    private MapRepair(Path damaged, LarderMap<byte[], byte[]> target, LogOptions options) {
        this.damaged = damaged;
        this.target = target;
        this.options = options;
    }

    /**
     * Copies the sound records, with their lifetimes, and the names of the codecs.
     *
     * @param options the options of the new map's log; its segments must have room for the entries
     * @throws LarderException if the target is not empty, or {@code map.ctl} of the damaged map is damaged or lost
     */
    public static MapRepairReport repair(Path damaged, Path target, LogOptions options) {
        return repair(damaged, target, types(damaged, options), options);
    }

    private static MapTypes types(Path damaged, LogOptions options) {
        try {
            return MapFile.read(damaged, HookedOptions.of(options).storage()).types();
        } catch (LarderException e) {
            throw new LarderException(
                    "cannot read the names of the map's codecs; pass them to the repair: " + e.getMessage(), e);
        }
    }

    /** Copies the sound records if the damaged map no longer gives the names of its codecs. */
    public static MapRepairReport repair(Path damaged, Path target, MapTypes types, LogOptions options) {
        Storage storage = HookedOptions.of(options).storage();
        if (!storage.list(target).isEmpty()) {
            throw new LarderException(target + ": is not empty; a repair makes a new map");
        }
        LogSalvage.requireLog(damaged, storage);
        ValueCodec<byte[]> keys = ValueCodec.bytesOf(types.keyCodec());
        ValueCodec<byte[]> values = ValueCodec.bytesOf(types.valueCodec());
        try (LarderMap<byte[], byte[]> map = LarderMap.open(target, keys, values, options)) {
            MapRepair repair = new MapRepair(damaged, map, options);
            SalvageReport report = repair.salvage(storage);
            report.problems().forEach(repair.problems::add);
            map.sync();
            return new MapRepairReport(
                    report.records(), map.longSize(), report.lost(), report.lostBytes(), repair.problems.toList());
        }
    }

    private SalvageReport salvage(Storage storage) {
        try {
            return LogSalvage.run(damaged, storage, this::take);
        } finally {
            LarderMap<Long, byte[]> made = pending;
            if (made != null) {
                made.close();
            }
        }
    }

    private void take(long position, MemorySegment segment, long offset, int length) {
        first = first == UNKNOWN ? Position.segment(position) : first;
        if (PendingLayout.isPending(segment, offset, length)) {
            pending().set(position, bytes(segment, offset, offset + length));
        } else if (EntryLayout.isEntry(segment, offset, length)) {
            copy(position, segment, offset, length);
        } else {
            problems.add(damaged + ": the record at position " + Position.toString(position) + ", of " + length
                    + " bytes, is not an entry of a map");
        }
    }

    private LarderMap<Long, byte[]> pending() {
        LarderMap<Long, byte[]> made = pending;
        if (made == null) {
            MapOptions own = MapOptions.defaults().withLog(options);
            made = LarderMap.temporary(target.info().log().directory(), ValueCodec.longs(), ValueCodec.bytes(), own);
            pending = made;
        }
        return made;
    }

    private void copy(long position, MemorySegment segment, long offset, int length) {
        long valueAt = EntryLayout.valueAt(segment, offset);
        byte[] key = bytes(segment, EntryLayout.keyAt(segment, offset), valueAt);
        byte kind = EntryLayout.kind(segment, offset);
        if (EntryLayout.isApart(kind)) {
            copyApart(position, key, segment, offset, length);
        } else if (EntryLayout.isRemoval(kind)) {
            target.remove((Object) key);
        } else {
            target.set(key, bytes(segment, valueAt, offset + length), EntryLayout.deadline(segment, offset));
        }
    }

    /**
     * Copies an entry whose value is in a pending record. A value that went with a segment dropped by the cleaner was
     * replaced before: the key has a later record.
     */
    private void copyApart(long position, byte[] key, MemorySegment segment, long offset, int length) {
        long there = EntryLayout.referencePosition(segment, offset, length);
        LarderMap<Long, byte[]> made = pending;
        byte @Nullable [] record = made == null ? null : made.get(there);
        int from = EntryLayout.referenceOffset(segment, offset, length);
        int bytes = EntryLayout.referenceLength(segment, offset, length);
        if (record != null && PendingLayout.contains(MemorySegment.ofArray(record), 0, record.length, from, bytes)) {
            target.set(key, Arrays.copyOfRange(record, from, from + bytes), EntryLayout.deadline(segment, offset));
        } else if (Position.segment(there) >= first) {
            problems.add(damaged + ": the record at position " + Position.toString(position)
                    + " points to a lost value, at position " + Position.toString(there));
        }
    }

    private static byte[] bytes(MemorySegment segment, long from, long to) {
        return segment.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }
}
