package dev.larder.memory.region;

import dev.larder.memory.LayoutTable;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * A region as an array of Java records of primitive components.
 *
 * <pre>{@code
 * record Tick(int symbol, double price) {}
 *
 *  region  | tick 0, 16 bytes | tick 1, 16 bytes | ... | rest, less than a tick |
 *  tick    | symbol 4 | gap 4 | price 8 |
 * }</pre>
 *
 * <p>Components lie in their order, little-endian, each at a multiple of its own size. A record ends at a multiple of its
 * largest component. A C compiler lays out the same struct in this way on x86-64 and aarch64; {@link #layout} returns the
 * layout. A record is written component by component, so a concurrent reader may see parts of two records.
 *
 * @param <R> the records
 */
public final class RecordView<R extends Record> {

    private final Region region;
    private final Class<R> type;
    private final RecordLayout records;
    private final long recordBytes;
    private final long count;

    private RecordView(Region region, Class<R> type, RecordLayout records) {
        this.region = region;
        this.type = type;
        this.records = records;
        this.recordBytes = records.layout().byteSize();
        this.count = region.sizeBytes() / recordBytes;
    }

    /**
     * Returns a view of records of a public type in an exported package.
     *
     * @throws IllegalArgumentException if a component is not of a primitive type, with its name
     */
    public static <R extends Record> RecordView<R> of(Region region, Class<R> type) {
        return of(region, type, MethodHandles.publicLookup());
    }

    /**
     * Returns a view of records that the creator of a lookup can access. Pass {@code MethodHandles.lookup()}.
     *
     * @throws IllegalArgumentException if a component is not of a primitive type, with its name
     */
    public static <R extends Record> RecordView<R> of(Region region, Class<R> type, Lookup lookup) {
        return new RecordView<>(region, type, RecordLayout.of(type, lookup));
    }

    /** Returns the layout of a record in bytes. {@link LayoutTable} renders it as a table. */
    public StructLayout layout() {
        return records.layout();
    }

    /** Returns how many records the region has room for. */
    public long count() {
        return count;
    }

    /** Returns the record at an index. */
    public R get(long index) {
        long offset = offset(index);
        try {
            return type.cast((Record) records.reader().invokeExact(region.bytes, offset));
        } catch (Throwable e) {
            throw refused(e, offset);
        }
    }

    /** Writes a record at an index. */
    public void put(long index, R record) {
        long offset = offset(index);
        try {
            records.writer().invokeExact(region.bytes, offset, (Record) record);
        } catch (Throwable e) {
            throw refused(e, offset);
        }
    }

    private long offset(long index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(region + ": record " + index
                    + " does not exist: the region has room for " + count + " records of " + recordBytes + " bytes");
        }
        return index * recordBytes;
    }

    /**
     * Returns the exception for a failed access. The index was checked before, so an {@link IndexOutOfBoundsException} means
     * that the region was closed, or comes from the record's own code.
     */
    private RuntimeException refused(Throwable thrown, long offset) {
        return switch (thrown) {
            case IllegalStateException e -> region.refused(e, offset, recordBytes);
            case IndexOutOfBoundsException e
            when !region.bytes.scope().isAlive() -> region.refused(e, offset, recordBytes);
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> throw new AssertionError(thrown);
        };
    }
}
