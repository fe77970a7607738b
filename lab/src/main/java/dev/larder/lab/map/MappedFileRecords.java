package dev.larder.lab.map;

import dev.larder.cli.Figures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The control for stalls: records of one size in a file that is mapped, of which the number of a key says the place. Who
 * touches what is not in memory waits inside the page fault, and with it whoever asks all threads to stop.
 *
 * <pre>
 * record    | there 8 | value | pad to 8      there: 0 for none
 * </pre>
 */
final class MappedFileRecords implements MapSubject {

    private static final int THERE_BYTES = Long.BYTES;

    private @Nullable Arena arena;
    private MemorySegment records = MemorySegment.NULL;
    private MapShape shape = new MapShape(1, MapValue.BYTES_MIN);

    @Override
    public Figures open(Path directory, MapShape wanted) throws IOException {
        shape = wanted;
        Arena made = Arena.ofShared();
        arena = made;
        try (FileChannel file = FileChannel.open(
                directory.resolve("mapped-records"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            records = file.map(MapMode.READ_WRITE, 0, wanted.mostEntries() * recordBytes(), made);
        }
        return new Figures().put("file", "records of " + recordBytes() + " bytes in a mapped file");
    }

    private long recordBytes() {
        return (THERE_BYTES + shape.valueBytes() + Long.BYTES - 1L) & -Long.BYTES;
    }

    private long place(long key) {
        return MapValue.number(key) * recordBytes();
    }

    private boolean has(long key) {
        return Long.compareUnsigned(MapValue.number(key), shape.mostEntries()) < 0
                && records.get(ValueLayout.JAVA_LONG, place(key)) != 0;
    }

    @Override
    public void sync() {
        records.force();
    }

    @Override
    public void put(long key, byte[] value) {
        long place = place(key);
        MemorySegment.copy(value, 0, records, ValueLayout.JAVA_BYTE, place + THERE_BYTES, value.length);
        records.set(ValueLayout.JAVA_LONG, place, 1);
    }

    @Override
    public boolean get(long key, byte[] into) {
        boolean there = has(key);
        if (there) {
            MemorySegment.copy(records, ValueLayout.JAVA_BYTE, place(key) + THERE_BYTES, into, 0, into.length);
        }
        return there;
    }

    @Override
    public boolean remove(long key) {
        boolean was = has(key);
        if (was) {
            records.set(ValueLayout.JAVA_LONG, place(key), 0);
        }
        return was;
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        return has(key) ? MapValue.sum(records, place(key) + THERE_BYTES, shape.valueBytes()) : 0;
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }
}
