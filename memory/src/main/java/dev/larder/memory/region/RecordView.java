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
 * <p>Components lie in their order, little-endian, each at a multiple of its own size; a record ends at a multiple of the
 * largest of them. That is what a C compiler makes of the same struct on x86-64 and aarch64, and {@link #layout} tells
 * it. A record is written component by component: who reads it meanwhile may see parts of two.
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
     * Returns a view of records that are public, and in a package that is exported.
     *
     * @throws IllegalArgumentException where a component is not of a primitive type, with its name
     */
    public static <R extends Record> RecordView<R> of(Region region, Class<R> type) {
        return of(region, type, MethodHandles.publicLookup());
    }

    /**
     * Returns a view of records that the maker of a lookup can use: {@code MethodHandles.lookup()}.
     *
     * @throws IllegalArgumentException where a component is not of a primitive type, with its name
     */
    public static <R extends Record> RecordView<R> of(Region region, Class<R> type, Lookup lookup) {
        return new RecordView<>(region, type, RecordLayout.of(type, lookup));
    }

    /** Returns how a record lies in bytes; {@link LayoutTable} makes a table of it. */
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
            throw new IndexOutOfBoundsException(
                    region + ": no record " + index + " of " + recordBytes + " bytes: it has room for " + count);
        }
        return index * recordBytes;
    }

    /**
     * The index was checked before. So an {@link IndexOutOfBoundsException} says that the region was closed, or is that of the
     * record's own code.
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
