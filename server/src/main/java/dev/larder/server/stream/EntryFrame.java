package dev.larder.server.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * An entry as a message of the queue; {@code docs/formats/stream.md} describes it. Integers are little-endian.
 *
 * <pre>
 * 0       4       8           16          24
 * | mark  | count | millis    | number    | length | bytes | length | bytes | ...
 * </pre>
 *
 * <p>{@code count} is the number of fields and values together. A message of another form is not an entry.
 */
public final class EntryFrame {

    /** "LSE1": the first bytes of every entry. */
    static final int MARK = 0x3145534C;

    static final int HEADER_BYTES = 24;
    private static final int COUNT_OFFSET = 4;
    private static final int MILLIS_OFFSET = 8;
    private static final int NUMBER_OFFSET = 16;
    private static final int LENGTH_BYTES = 4;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryFrame() {}

    /** Returns how many bytes an entry takes. */
    static long lengthBytes(Fields fields) {
        long bytes = HEADER_BYTES;
        for (int i = 0; i < fields.count(); i++) {
            bytes += LENGTH_BYTES + fields.lengthBytes(i);
        }
        return bytes;
    }

    /** Returns how many bytes an entry takes, from the number and the total bytes of its fields and values. */
    public static long lengthBytes(int count, long bytes) {
        return HEADER_BYTES + (long) LENGTH_BYTES * count + bytes;
    }

    /** Writes an entry into the memory of a message. */
    static void write(StreamId id, Fields fields, MemorySegment segment, long offset) {
        segment.set(INT, offset, MARK);
        segment.set(INT, offset + COUNT_OFFSET, fields.count());
        segment.set(LONG, offset + MILLIS_OFFSET, id.millis());
        segment.set(LONG, offset + NUMBER_OFFSET, id.number());
        long at = offset + HEADER_BYTES;
        for (int i = 0; i < fields.count(); i++) {
            segment.set(INT, at, fields.lengthBytes(i));
            fields.copy(i, segment, at + LENGTH_BYTES);
            at += LENGTH_BYTES + fields.lengthBytes(i);
        }
    }

    /** Returns an entry as bytes. */
    static MemorySegment of(StreamId id, Fields fields) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(lengthBytes(fields))]);
        write(id, fields, bytes, 0);
        return bytes;
    }

    /** Returns whether a message has the form of an entry. */
    public static boolean isEntry(MemorySegment segment, long offset, int length) {
        if (length < HEADER_BYTES || segment.get(INT, offset) != MARK) {
            return false;
        }
        int count = count(segment, offset);
        long end = offset + length;
        long at = offset + HEADER_BYTES;
        for (int i = 0; i < count && at + LENGTH_BYTES <= end; i++) {
            int bytes = segment.get(INT, at);
            if (bytes < 0) {
                return false;
            }
            at += LENGTH_BYTES + (long) bytes;
            if (i == count - 1) {
                return at == end;
            }
        }
        return count == 0 && at == end;
    }

    /** Returns the id of an entry. */
    public static StreamId id(MemorySegment segment, long offset) {
        return new StreamId(segment.get(LONG, offset + MILLIS_OFFSET), segment.get(LONG, offset + NUMBER_OFFSET));
    }

    /** Returns how many fields and values an entry has, together. */
    public static int count(MemorySegment segment, long offset) {
        return segment.get(INT, offset + COUNT_OFFSET);
    }

    /** Returns where the first field lies: its length, then its bytes. */
    public static long first(long offset) {
        return offset + HEADER_BYTES;
    }

    /** Returns the length of the field or value at an offset, in bytes. */
    public static int length(MemorySegment segment, long at) {
        return segment.get(INT, at);
    }

    /** Returns where the bytes of the field or value at an offset begin. */
    public static long bytes(long at) {
        return at + LENGTH_BYTES;
    }

    /** Returns where the next field or value lies. */
    public static long next(MemorySegment segment, long at) {
        return at + LENGTH_BYTES + length(segment, at);
    }
}
