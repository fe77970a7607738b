package dev.larder.lab.database;

import dev.larder.lab.result.LabException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The records of one round: each carries its round and its number, so none can stand for another.
 *
 * <pre>
 * record    0                         8
 *           | round + 1: 24 | id 40   | pattern of slot (id mod 64) ...           |
 * </pre>
 *
 * The patterns of 64 slots are made once and fit into the processor's cache: making a record costs one store, so that
 * an insert times the store under test and not its records.
 */
public final class Records {

    private static final int SLOTS = 64;
    private static final int ID_BITS = 40;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int recordBytes;
    private final long roundBits;
    private final MemorySegment slots;
    private final long[] patternSums = new long[SLOTS];

    /**
     * The records of a round.
     *
     * @param recordBytes of each, a multiple of 8, at least 16
     * @param seed of the patterns
     * @param round from 0
     */
    public Records(int recordBytes, long seed, int round) {
        if (recordBytes < 16 || recordBytes % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a record has " + recordBytes + " bytes, not a multiple of 8 from 16 up");
        }
        this.recordBytes = recordBytes;
        roundBits = (round + 1L) << ID_BITS;
        slots = Arena.ofAuto().allocate((long) recordBytes * SLOTS, 4096);
        SplittableRandom random = new SplittableRandom(seed);
        for (int slot = 0; slot < SLOTS; slot++) {
            patternSums[slot] = fill(slot, random);
        }
    }

    private long fill(int slot, SplittableRandom random) {
        long sum = 0;
        for (int at = Long.BYTES; at < recordBytes; at += Long.BYTES) {
            long word = random.nextLong();
            slots.set(WORD, (long) slot * recordBytes + at, word);
            sum += word;
        }
        return sum;
    }

    /** Returns the size of each record in bytes. */
    public int recordBytes() {
        return recordBytes;
    }

    /** Returns the memory that {@link #make} makes records in. */
    public MemorySegment segment() {
        return slots;
    }

    /** Makes a record and returns its offset in {@link #segment}; it stands there for the next 63 records. */
    public long make(long id) {
        long offset = slotOffset(id);
        slots.set(WORD, offset, roundBits | id);
        return offset;
    }

    /** Makes a record in an array of its own. */
    public byte[] array(long id) {
        byte[] array = new byte[recordBytes];
        MemorySegment.copy(slots, ValueLayout.JAVA_BYTE, make(id), array, 0, recordBytes);
        return array;
    }

    private static int slot(long id) {
        return (int) (id & (SLOTS - 1));
    }

    private long slotOffset(long id) {
        return (long) slot(id) * recordBytes;
    }

    /**
     * Checks a record that was read back by its length, its number and the sum of all its words.
     *
     * @throws LabException naming what was expected and what was found
     */
    public void checkSum(long id, MemorySegment segment, long offset, int length) {
        checkHead(id, segment, offset, length);
        if (sumOfWords(segment, offset, length) != patternSums[slot(id)] + (roundBits | id)) {
            throw new LabException("record " + id + ": the sum of its words is not that of what was inserted");
        }
    }

    /**
     * Checks every byte of a record that was read back.
     *
     * @throws LabException naming what was expected and what was found
     */
    public void checkBytes(long id, MemorySegment segment, long offset, int length) {
        checkHead(id, segment, offset, length);
        long slot = slotOffset(id);
        long mismatch = MemorySegment.mismatch(
                segment, offset + Long.BYTES, offset + length, slots, slot + Long.BYTES, slot + recordBytes);
        if (mismatch >= 0) {
            throw new LabException("record " + id + ": byte " + (Long.BYTES + mismatch) + " is not what was inserted");
        }
    }

    private void checkHead(long id, MemorySegment segment, long offset, int length) {
        if (length != recordBytes) {
            throw new LabException("record " + id + ": " + length + " bytes read, " + recordBytes + " inserted");
        }
        long found = segment.get(WORD, offset);
        if (found != (roundBits | id)) {
            throw new LabException("record " + id + ": found record " + (found & ((1L << ID_BITS) - 1)) + " of round "
                    + ((found >>> ID_BITS) - 1) + " in its place");
        }
    }

    private static long sumOfWords(MemorySegment segment, long offset, int length) {
        long even = 0;
        long odd = 0;
        long at = offset;
        long end = offset + length;
        for (; at <= end - 2 * Long.BYTES; at += 2 * Long.BYTES) { // two sums: no addition waits for the one before it
            even += segment.get(WORD, at);
            odd += segment.get(WORD, at + Long.BYTES);
        }
        return at < end ? even + odd + segment.get(WORD, at) : even + odd;
    }
}
