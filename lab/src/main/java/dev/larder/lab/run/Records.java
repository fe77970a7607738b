package dev.larder.lab.run;

import dev.larder.lab.result.LabException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The records, or messages, of one round: each carries its round and its number, so none can stand for another.
 *
 * <pre>
 * record    0                         8
 *           | round + 1: 24 | id 40   | pattern of slot (id mod 64) ...           |
 * </pre>
 *
 * The patterns of 64 slots are made once and fit into the processor's cache. So making a record costs one store, and a
 * measurement times the store under test and not its records.
 */
public final class Records {

    private static final int SLOTS = 64;
    private static final int ID_BITS = 40;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int recordBytes;
    private final long roundBits;
    private final MemorySegment slots;
    private final long[] patternSums;

    private Records(int recordBytes, long roundBits, MemorySegment slots, long[] patternSums) {
        this.recordBytes = recordBytes;
        this.roundBits = roundBits;
        this.slots = slots;
        this.patternSums = patternSums;
    }

    /**
     * The records of a round.
     *
     * @param recordBytes of each, a multiple of 8, at least 16
     * @param seed of the patterns
     * @param round from 0
     */
    public Records(int recordBytes, long seed, int round) {
        this(recordBytes, recordBytes, seed, round);
    }

    /**
     * The compressible records of a round.
     *
     * @param patternBytes how many bytes of each are random, a multiple of 8; the others repeat them
     */
    public Records(int recordBytes, int patternBytes, long seed, int round) {
        this(recordBytes, bits(round), Arena.ofAuto().allocate((long) recordBytes * SLOTS, 4096), new long[SLOTS]);
        if (recordBytes < 16 || recordBytes % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a record has " + recordBytes + " bytes, not a multiple of 8 from 16 up");
        }
        SplittableRandom random = new SplittableRandom(seed);
        for (int slot = 0; slot < SLOTS; slot++) {
            long[] pattern =
                    random.longs(Math.max(1, patternBytes / Long.BYTES)).toArray();
            for (int at = Long.BYTES; at < recordBytes; at += Long.BYTES) {
                long word = pattern[(at / Long.BYTES - 1) % pattern.length];
                slots.set(WORD, (long) slot * recordBytes + at, word);
                patternSums[slot] += word;
            }
        }
    }

    private static long bits(int round) {
        return (round + 1L) << ID_BITS;
    }

    /** Returns the records of another round, made in the same memory. */
    public Records in(int round) {
        return new Records(recordBytes, bits(round), slots, patternSums);
    }

    /** Returns the size of each record in bytes. */
    public int recordBytes() {
        return recordBytes;
    }

    /** Returns the memory in which {@link #make} makes records. */
    public MemorySegment segment() {
        return slots;
    }

    /** Makes a record and returns its offset in {@link #segment}; it remains there for the next 63 records. */
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

    private long sum(int slot, long id) {
        return patternSums[slot] + (roundBits | id);
    }

    /** Returns the sum of all words of the records from 0 to {@code count}, modulo 2^64. */
    public long sumOf(long count) {
        long sum = 0;
        for (long id = 0; id < count; id++) {
            sum += sum(slot(id), id);
        }
        return sum;
    }

    /**
     * Checks the length, the number and the sum of all words of a record that was read back.
     *
     * @throws LabException naming what was expected and what was found
     */
    public void checkSum(long id, MemorySegment segment, long offset, int length) {
        checkHead(id, segment, offset, length);
        if (sumWords(segment, offset, length) != sum(slot(id), id)) {
            throw new LabException("record " + id + ": the sum of its words differs from the inserted record");
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
            throw new LabException(
                    "record " + id + ": byte " + (Long.BYTES + mismatch) + " differs from the inserted record");
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

    /** Returns the sum of all 64-bit words of a range whose length is a multiple of 8, modulo 2^64. */
    public static long sumWords(MemorySegment segment, long offset, int length) {
        long first = 0;
        long second = 0;
        long third = 0;
        long fourth = 0;
        int at = 0;
        for (; at <= length - 32; at += 32) { // four sums, so that no addition waits for the one before it
            first += segment.get(WORD, offset + at);
            second += segment.get(WORD, offset + at + 8);
            third += segment.get(WORD, offset + at + 16);
            fourth += segment.get(WORD, offset + at + 24);
        }
        for (; at < length; at += 8) {
            first += segment.get(WORD, offset + at);
        }
        return first + second + third + fourth;
    }
}
