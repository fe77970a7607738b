package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The cost of memory itself: as many records of the same size, on huge pages if available, without an index. A key leads
 * to one of them, so each access is random. Two keys may share a record, so found values prove nothing.
 */
final class PlainRecords implements MapSubject {

    private static final int LINE_BYTES = 64;

    private @Nullable Region region;
    private MemorySegment records = MemorySegment.NULL;
    private long entries;
    private long recordBytes;
    private int valueBytes;

    @Override
    public Figures open(Path directory, MapShape shape) {
        RegionKind kind = RegionKind.HUGE_PAGES.unavailable().isEmpty() ? RegionKind.HUGE_PAGES : RegionKind.DIRECT;
        recordBytes = (shape.valueBytes() + LINE_BYTES - 1L) & -LINE_BYTES;
        entries = shape.entries();
        valueBytes = shape.valueBytes();
        Region made = Region.create(kind, entries * recordBytes);
        region = made;
        records = made.segment();
        return new Figures().put("memory", made.description()).put("record_bytes", recordBytes);
    }

    private long record(long key) {
        return Math.unsignedMultiplyHigh(key, entries) * recordBytes;
    }

    @Override
    public void put(long key, byte[] value) {
        MemorySegment.copy(value, 0, records, ValueLayout.JAVA_BYTE, record(key), valueBytes);
    }

    @Override
    public boolean get(long key, byte[] into) {
        MemorySegment.copy(records, ValueLayout.JAVA_BYTE, record(key), into, 0, valueBytes);
        return true;
    }

    @Override
    public boolean remove(long key) {
        throw new UnsupportedOperationException("plain records are no map");
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        return MapValue.sum(records, record(key), valueBytes);
    }

    @Override
    public void close() {
        if (region != null) {
            region.close();
            region = null;
        }
    }
}
