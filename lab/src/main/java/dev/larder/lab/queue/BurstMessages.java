package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The messages of bursts: each carries its burst, its sequence and a seeded pattern, so none can stand for another.
 *
 * <pre>
 * message   0                          8
 *           | burst 24 | sequence 40   | pattern of slot (sequence mod 64) ...           |
 * </pre>
 *
 * The patterns of 64 slots are made once and fit into the processor's cache; making a message costs one store, so
 * that a burst times the store under test and not its messages.
 */
public final class BurstMessages {

    private static final int SLOTS = 64;
    private static final int SEQUENCE_BITS = 40;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final int messageBytes;
    private final MemorySegment slots;
    private final long[] patternSums = new long[SLOTS];

    /**
     * Messages of one size.
     *
     * @param messageBytes a multiple of 8, at least 16
     * @param seed of the patterns
     */
    public BurstMessages(int messageBytes, long seed) {
        this(messageBytes, messageBytes, seed);
    }

    /**
     * Messages of one size that compress.
     *
     * @param patternBytes how many bytes of each are drawn, a multiple of 8; the others repeat them
     */
    public BurstMessages(int messageBytes, int patternBytes, long seed) {
        if (messageBytes < 16 || messageBytes % 8 != 0) {
            throw new IllegalArgumentException(
                    "a message has " + messageBytes + " bytes, not a multiple of 8 from 16 up");
        }
        this.messageBytes = messageBytes;
        slots = Arena.ofAuto().allocate((long) messageBytes * SLOTS, 4096);
        SplittableRandom random = new SplittableRandom(seed);
        for (int slot = 0; slot < SLOTS; slot++) {
            patternSums[slot] = fill(slot, Math.max(1, patternBytes / 8), random);
        }
    }

    /** Messages as the parent has configured them. */
    static BurstMessages of(Figures configuration) {
        Long patternBytes = configuration.wholeOrNull("pattern_bytes");
        int messageBytes = (int) configuration.whole("message_bytes");
        return new BurstMessages(
                messageBytes,
                patternBytes == null ? messageBytes : patternBytes.intValue(),
                configuration.whole("seed"));
    }

    private long fill(int slot, int patternWords, SplittableRandom random) {
        long[] pattern = random.longs(patternWords).toArray();
        long sum = 0;
        for (int at = 8; at < messageBytes; at += 8) {
            long word = pattern[(at / 8 - 1) % patternWords];
            slots.set(WORD, (long) slot * messageBytes + at, word);
            sum += word;
        }
        return sum;
    }

    /** Returns the size of each message in bytes. */
    public int messageBytes() {
        return messageBytes;
    }

    /** Returns the memory that {@link #make} makes messages in. */
    public MemorySegment segment() {
        return slots;
    }

    /** Makes a message and returns its offset in {@link #segment}; it stands there for the next 63 messages. */
    public long make(int burst, long sequence) {
        long offset = (sequence & (SLOTS - 1)) * messageBytes;
        slots.set(WORD, offset, stamp(burst, sequence));
        return offset;
    }

    private static long stamp(int burst, long sequence) {
        return (long) burst << SEQUENCE_BITS | sequence;
    }

    /** Returns the sum of all words of the messages from 0 to {@code count}, modulo 2^64. */
    public long sum(int burst, long count) {
        long sum = 0;
        for (long sequence = 0; sequence < count; sequence++) {
            sum += stamp(burst, sequence) + patternSums[(int) (sequence & (SLOTS - 1))];
        }
        return sum;
    }

    /**
     * Checks every byte of a message that was read back.
     *
     * @throws LabException naming what was expected and what was found
     */
    public void verify(int burst, long sequence, MemorySegment segment, long offset, int length) {
        if (length != messageBytes) {
            throw new LabException("burst " + burst + ", message " + sequence + ": " + length + " bytes read, "
                    + messageBytes + " written");
        }
        long found = segment.get(WORD, offset);
        if (found != stamp(burst, sequence)) {
            throw new LabException("burst " + burst + ", message " + sequence + ": found burst "
                    + (found >>> SEQUENCE_BITS) + ", message " + (found & ((1L << SEQUENCE_BITS) - 1)));
        }
        long slot = (sequence & (SLOTS - 1)) * messageBytes;
        long mismatch =
                MemorySegment.mismatch(segment, offset + 8, offset + length, slots, slot + 8, slot + messageBytes);
        if (mismatch >= 0) {
            throw new LabException("burst " + burst + ", message " + sequence + ": byte " + (8 + mismatch)
                    + " is not what was written");
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
