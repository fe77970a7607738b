package dev.larder.map;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The payload of a record of the map.
 *
 * <pre>
 *  0      1      2            4        4 + key length
 * | kind | zero | key length | key    | value        |
 *
 *  kind    bit 0 value, 1 removal, 2 first, 3 expiry, 4 in chunks; the others are 0
 * </pre>
 *
 * Either a value or a removal, which has no value. <i>first</i>: no record of the key was there when it was linked.
 * <i>expiry</i> and <i>in chunks</i> are not written yet, and not understood.
 */
final class EntryLayout {

    static final int HEADER_BYTES = 4;
    static final int KEY_MAX_BYTES = 0xFFFF;
    static final byte VALUE = 1;
    static final byte REMOVAL = 2;
    static final byte FIRST = 4;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryLayout() {}

    static void write(MemorySegment record, long at, byte kind, MemorySegment key, int keyLength) {
        record.set(ValueLayout.JAVA_BYTE, at, kind);
        record.set(ValueLayout.JAVA_BYTE, at + 1, (byte) 0);
        record.set(SHORT, at + 2, (short) keyLength);
        MemorySegment.copy(key, 0, record, at + HEADER_BYTES, keyLength);
    }

    static void setKind(MemorySegment record, long at, byte kind) {
        record.set(ValueLayout.JAVA_BYTE, at, kind);
    }

    static byte kind(MemorySegment record, long at) {
        return record.get(ValueLayout.JAVA_BYTE, at);
    }

    static int keyLength(MemorySegment record, long at) {
        return record.get(SHORT, at + 2) & 0xFFFF;
    }

    static boolean isRemoval(byte kind) {
        return (kind & REMOVAL) != 0;
    }

    /** Returns whether a payload of so many bytes can be one of these. */
    static boolean isEntry(MemorySegment record, long at, int length) {
        if (length < HEADER_BYTES || record.get(ValueLayout.JAVA_BYTE, at + 1) != 0) {
            return false;
        }
        int kind = kind(record, at) & ~FIRST;
        int left = length - HEADER_BYTES - keyLength(record, at);
        return kind == VALUE ? left >= 0 : kind == REMOVAL && left == 0;
    }

    /** Returns whether the record's key is this one; a length of 4 bytes or more is the caller's to see. */
    static boolean hasKey(MemorySegment record, long at, int length, MemorySegment key, int keyLength) {
        return keyLength(record, at) == keyLength
                && length >= HEADER_BYTES + keyLength
                && areEqual(record, at + HEADER_BYTES, key, keyLength);
    }

    /** Returns whether the record's value is this one. */
    static boolean hasValue(MemorySegment record, long at, int length, MemorySegment value, int valueLength) {
        int from = HEADER_BYTES + keyLength(record, at);
        return length - from == valueLength && areEqual(record, at + from, value, valueLength);
    }

    /** A loop over words: keys are short, and a call of the library's comparison costs more than most of them. */
    private static boolean areEqual(MemorySegment record, long at, MemorySegment other, int length) {
        int words = length & -8;
        for (int i = 0; i < words; i += 8) {
            if (record.get(LONG, at + i) != other.get(LONG, i)) {
                return false;
            }
        }
        for (int i = words; i < length; i++) {
            if (record.get(ValueLayout.JAVA_BYTE, at + i) != other.get(ValueLayout.JAVA_BYTE, i)) {
                return false;
            }
        }
        return true;
    }
}
