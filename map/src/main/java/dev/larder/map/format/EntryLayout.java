package dev.larder.map.format;

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
 *  0      1                    2            4                       8        8 + key length
 * | kind | deadline, upper 8  | key length | deadline, lower 32    | key    | value        |      with expiry
 *
 *  kind    bit 0 value, 1 removal, 2 first, 3 expiry, 4 apart; 5 and 6 uses; 7 idle
 *
 *  apart, of a value: a reference, which has this in place of the value
 *
 *  0                     8                  12                16
 * | position of a record | offset in payload | length of value |
 * </pre>
 *
 * A record has either a value or a removal, which has no value. <i>first</i>: the key had no record when this one was linked.
 * <i>expiry</i>: the value exists until its {@link Deadline}. <i>apart</i>: the value lies in a pending record ({@link
 * PendingLayout}). <i>uses</i>: of a value, in maps that evict: a number from 0 to 3. It grows by one in each turn of the log
 * in which the value was used, and falls by one in each other turn. <i>idle</i>: a use of this value with expiry gives it a
 * later deadline.
 */
public final class EntryLayout {

    static final int HEADER_BYTES = 4;
    static final int DEADLINE_BYTES = 4;
    public static final int KEY_MAX_BYTES = 0xFFFF;
    static final byte VALUE = 1;
    public static final byte REMOVAL = 2;
    public static final byte FIRST = 4;
    static final byte EXPIRY = 8;
    static final byte APART = 16;
    static final byte IDLE = (byte) 0x80;
    public static final int USES_MAX = 3;

    /** The length of what a reference stores in place of a value. */
    public static final int REFERENCE_BYTES = 16;

    private static final int USES_SHIFT = 5;
    private static final int USES = USES_MAX << USES_SHIFT;
    private static final int REFERENCE_OFFSET = 8;
    private static final int REFERENCE_LENGTH = 12;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryLayout() {}

    /** Returns how many bytes lie before the value of an entry with a deadline, or with {@link Deadline#NONE}. */
    public static int valueOffset(long deadline, int keyLength) {
        return HEADER_BYTES + (deadline == Deadline.NONE ? 0 : DEADLINE_BYTES) + keyLength;
    }

    /** Returns how many bytes lie before the value of an entry that has no deadline. */
    public static int valueOffset(int keyLength) {
        return HEADER_BYTES + keyLength;
    }

    /** Writes everything before the value, the header in one store; returns how many bytes that is. */
    public static int write(MemorySegment record, long at, byte kind, long deadline, MemorySegment key, int keyLength) {
        boolean expires = hasExpiry(kind);
        int upper = expires ? (int) (deadline >>> Integer.SIZE) & 0xFF : 0;
        record.set(INT, at, keyLength << Short.SIZE | upper << Byte.SIZE | (kind & 0xFF));
        if (expires) {
            record.set(INT, at + HEADER_BYTES, (int) deadline);
        }
        long keyAt = keyAt(at, kind);
        if (keyLength == Long.BYTES) {
            record.set(LONG, keyAt, key.get(LONG, 0));
        } else {
            MemorySegment.copy(key, 0, record, keyAt, keyLength);
        }
        return (int) (keyAt - at) + keyLength;
    }

    public static void setKind(MemorySegment record, long at, byte kind) {
        record.set(ValueLayout.JAVA_BYTE, at, kind);
    }

    public static byte kind(MemorySegment record, long at) {
        return record.get(ValueLayout.JAVA_BYTE, at);
    }

    public static int keyLength(MemorySegment record, long at) {
        return record.get(SHORT, at + 2) & 0xFFFF;
    }

    /** Returns where the key begins. */
    public static long keyAt(MemorySegment record, long at) {
        return keyAt(at, kind(record, at));
    }

    private static long keyAt(long at, byte kind) {
        return at + (hasExpiry(kind) ? HEADER_BYTES + DEADLINE_BYTES : HEADER_BYTES);
    }

    /** Returns where the value begins. */
    public static long valueAt(MemorySegment record, long at) {
        int header = header(record, at);
        return keyAt(at, (byte) header) + (header >>> Short.SIZE);
    }

    /** Returns when the entry of a header expires, or {@link Deadline#NONE}. */
    public static long deadline(MemorySegment record, long at, int header) {
        return hasExpiry((byte) header) ? storedDeadline(record, at, (byte) header) : Deadline.NONE;
    }

    /** Returns when the entry expires, or {@link Deadline#NONE}. */
    public static long deadline(MemorySegment record, long at) {
        return deadline(record, at, kind(record, at));
    }

    private static long storedDeadline(MemorySegment record, long at, byte kind) {
        return ((kind & IDLE) == 0 ? 0 : Deadline.IDLE)
                | (record.get(ValueLayout.JAVA_BYTE, at + 1) & 0xFFL) << Integer.SIZE
                | (record.get(INT, at + HEADER_BYTES) & 0xFFFF_FFFFL);
    }

    /** Returns the kind of a value that exists until a deadline, or for ever ({@link Deadline#NONE}). */
    public static byte valueUntil(long deadline) {
        if (deadline == Deadline.NONE) {
            return VALUE;
        }
        return (byte) (Deadline.isIdle(deadline) ? VALUE | EXPIRY | IDLE : VALUE | EXPIRY);
    }

    /** Returns the same kind, for a reference. */
    public static byte apart(byte kind) {
        return (byte) (kind | APART);
    }

    /** Returns whether the value lies in another record. */
    public static boolean isApart(byte kind) {
        return (kind & APART) != 0;
    }

    /** Returns whether the value lies in the record, and does not expire. */
    public static boolean isPlain(byte kind) {
        return (kind & (EXPIRY | APART)) == 0;
    }

    public static byte withUses(byte kind, int uses) {
        assert uses >= 0 && uses <= USES_MAX : uses;
        return (byte) ((kind & ~USES) | (uses << USES_SHIFT));
    }

    public static int uses(byte kind) {
        return (kind & USES) >> USES_SHIFT;
    }

    public static boolean hasExpiry(byte kind) {
        return (kind & EXPIRY) != 0;
    }

    public static boolean isRemoval(byte kind) {
        return (kind & REMOVAL) != 0;
    }

    /**
     * Returns how many bytes come before the value of an entry: all that a lookup needs to compare the key. Returns the whole
     * length for a reference.
     */
    public static int headLength(MemorySegment record, long at, int length) {
        return length < HEADER_BYTES || isReference(kind(record, at)) ? length : (int) (valueAt(record, at) - at);
    }

    private static boolean isReference(byte kind) {
        return (kind & (VALUE | APART)) == (VALUE | APART);
    }

    /** Writes what a reference stores in place of a value. */
    public static void writeReference(MemorySegment record, long at, long position, int offset, int length) {
        record.set(LONG, at, position);
        record.set(INT, at + REFERENCE_OFFSET, offset);
        record.set(INT, at + REFERENCE_LENGTH, length);
    }

    /** Returns the position of the record that holds the value of a reference, given the place and length of the reference. */
    public static long referencePosition(MemorySegment record, long at, int length) {
        return record.get(LONG, at + length - REFERENCE_BYTES);
    }

    /** Returns where in that record's payload the value begins. */
    public static int referenceOffset(MemorySegment record, long at, int length) {
        return record.get(INT, at + length - REFERENCE_BYTES + REFERENCE_OFFSET);
    }

    /** Returns how long the value is. */
    public static int referenceLength(MemorySegment record, long at, int length) {
        return record.get(INT, at + length - REFERENCE_BYTES + REFERENCE_LENGTH);
    }

    /** Returns how many payload bytes an entry keeps alive: its record's, and those of a value that lies apart. */
    public static long liveLength(MemorySegment record, long at, int length) {
        return isReference(kind(record, at)) ? (long) length + referenceLength(record, at, length) : length;
    }

    /** Returns whether a payload of {@code length} bytes can be an entry. */
    public static boolean isEntry(MemorySegment record, long at, int length) {
        if (length < HEADER_BYTES) {
            return false;
        }
        byte kind = kind(record, at);
        long left = length - (keyAt(at, kind) - at) - keyLength(record, at);
        return switch ((byte) (kind & ~(FIRST | USES))) {
            case VALUE -> left >= 0 && record.get(ValueLayout.JAVA_BYTE, at + 1) == 0;
            case VALUE | EXPIRY, (byte) (VALUE | EXPIRY | IDLE) -> left >= 0;
            case VALUE | APART ->
                left == REFERENCE_BYTES
                        && record.get(ValueLayout.JAVA_BYTE, at + 1) == 0
                        && isSoundReference(record, at, length);
            case VALUE | EXPIRY | APART, (byte) (VALUE | EXPIRY | IDLE | APART) ->
                left == REFERENCE_BYTES && isSoundReference(record, at, length);
            case REMOVAL -> left == 0 && uses(kind) == 0 && record.get(ValueLayout.JAVA_BYTE, at + 1) == 0;
            default -> false;
        };
    }

    private static boolean isSoundReference(MemorySegment record, long at, int length) {
        long position = referencePosition(record, at, length);
        return position >= 0
                && (position & Long.BYTES - 1) == 0
                && referenceOffset(record, at, length) >= 0
                && referenceLength(record, at, length) >= 0;
    }

    /** Returns the first {@link #HEADER_BYTES} bytes in one load. */
    public static int header(MemorySegment record, long at) {
        return record.get(INT, at);
    }

    /** Returns whether the record has this key. The caller ensures that the length is 4 bytes or more. */
    public static boolean hasKey(
            MemorySegment record, long at, int length, int header, MemorySegment key, long keyAt, int keyLength) {
        long from = keyAt(at, (byte) header);
        return header >>> Short.SIZE == keyLength
                && length >= from - at + keyLength
                && areEqual(record, from, key, keyAt, keyLength);
    }

    /** Returns the same for a key of 8 bytes. */
    public static boolean hasKey(MemorySegment record, long at, int length, int header, long key) {
        long from = keyAt(at, (byte) header);
        return header >>> Short.SIZE == Long.BYTES && length >= from - at + Long.BYTES && word(record, from) == key;
    }

    /** Returns 8 bytes of a key. */
    public static long word(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    /** Returns whether the record's value is this one. */
    public static boolean hasValue(MemorySegment record, long at, int length, MemorySegment value, int valueLength) {
        long from = valueAt(record, at);
        return isValue(record, from, at + length - from, value, valueLength);
    }

    /** Returns whether {@code length} bytes are this value. */
    public static boolean isValue(MemorySegment bytes, long from, long length, MemorySegment value, int valueLength) {
        return length == valueLength && areEqual(bytes, from, value, 0, valueLength);
    }

    /**
     * Compares word by word: keys are short, and a call of the library's comparison costs more than comparing most of them.
     * The last word overlaps the one before it, so no rest is compared byte by byte.
     */
    private static boolean areEqual(MemorySegment record, long at, MemorySegment other, long otherAt, int length) {
        if (length < Long.BYTES) {
            return areEqualBytes(record, at, other, otherAt, length);
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (record.get(LONG, at + i) != other.get(LONG, otherAt + i)) {
                return false;
            }
        }
        return record.get(LONG, at + last) == other.get(LONG, otherAt + last);
    }

    private static boolean areEqualBytes(MemorySegment record, long at, MemorySegment other, long otherAt, int length) {
        for (int i = 0; i < length; i++) {
            if (record.get(ValueLayout.JAVA_BYTE, at + i) != other.get(ValueLayout.JAVA_BYTE, otherAt + i)) {
                return false;
            }
        }
        return true;
    }
}
