package dev.larder.map.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The payload of a pending record: keys and values that references in later records lead to. It is not an entry, and nothing
 * in the index leads to it.
 *
 * <pre>
 *  0      1      4       8      16      24
 * | kind | zero | parts | term | index | part | part | .. | key | value | key | value | ..
 *
 *  part    | key length 2 | zero 2 | value length 4 |
 *  kind    bit 4, and no other
 * </pre>
 */
public final class PendingLayout {

    /** The bytes before the parts. */
    public static final int HEADER_BYTES = 24;

    /** The bytes that each part takes besides its key and its value. */
    public static final int PART_BYTES = 8;

    private static final int PARTS = 4;
    private static final int TERM = 8;
    private static final int INDEX = 16;
    private static final int VALUE_LENGTH = 4;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private PendingLayout() {}

    /** Writes the header before the parts. */
    public static void write(MemorySegment record, long at, int parts, long term, long index) {
        record.set(INT, at, EntryLayout.APART);
        record.set(INT, at + PARTS, parts);
        record.set(LONG, at + TERM, term);
        record.set(LONG, at + INDEX, index);
    }

    /** Writes the lengths of a part's key and value. */
    public static void writePart(MemorySegment record, long at, int part, int keyLength, int valueLength) {
        long there = part(at, part);
        record.set(INT, there, keyLength);
        record.set(INT, there + VALUE_LENGTH, valueLength);
    }

    /** Returns where the first key begins, behind {@code parts} parts. */
    public static int keysAt(int parts) {
        return HEADER_BYTES + parts * PART_BYTES;
    }

    /** Returns whether a payload is marked as a pending record, and not as an entry. */
    public static boolean isMarked(MemorySegment record, long at, int length) {
        return length >= HEADER_BYTES && record.get(INT, at) == EntryLayout.APART;
    }

    /** Returns whether a payload of {@code length} bytes is a pending record with all its parts. */
    public static boolean isPending(MemorySegment record, long at, int length) {
        if (!isMarked(record, at, length)) {
            return false;
        }
        int parts = parts(record, at);
        if (parts < 1 || parts > (length - HEADER_BYTES) / PART_BYTES) {
            return false;
        }
        long left = (long) length - keysAt(parts);
        for (int part = 0; part < parts && left >= 0; part++) {
            int key = record.get(INT, part(at, part));
            int value = valueLength(record, at, part);
            boolean sound = key >= 0 && key <= EntryLayout.KEY_MAX_BYTES && value >= 0;
            left = sound ? left - key - value : -1;
        }
        return left == 0;
    }

    /**
     * Returns whether a payload is marked as a pending record, and a range lies behind its parts within {@code length} bytes.
     */
    public static boolean contains(MemorySegment record, long at, int length, int offset, int bytes) {
        if (!isMarked(record, at, length)) {
            return false;
        }
        int parts = parts(record, at);
        boolean isSound = parts >= 1 && parts <= (length - HEADER_BYTES) / PART_BYTES;
        return isSound && offset >= keysAt(parts) && bytes >= 0 && (long) offset + bytes <= length;
    }

    public static int parts(MemorySegment record, long at) {
        return record.get(INT, at + PARTS);
    }

    public static long term(MemorySegment record, long at) {
        return record.get(LONG, at + TERM);
    }

    public static long index(MemorySegment record, long at) {
        return record.get(LONG, at + INDEX);
    }

    public static int keyLength(MemorySegment record, long at, int part) {
        return record.get(INT, part(at, part)) & EntryLayout.KEY_MAX_BYTES;
    }

    public static int valueLength(MemorySegment record, long at, int part) {
        return record.get(INT, part(at, part) + VALUE_LENGTH);
    }

    /** Returns where in the payload the key of a part begins. */
    public static int keyOffset(MemorySegment record, long at, int part) {
        int offset = keysAt(parts(record, at));
        for (int before = 0; before < part; before++) {
            offset += keyLength(record, at, before) + valueLength(record, at, before);
        }
        return offset;
    }

    private static long part(long at, int part) {
        return at + HEADER_BYTES + (long) part * PART_BYTES;
    }
}
