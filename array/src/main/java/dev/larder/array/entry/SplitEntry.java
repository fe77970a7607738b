package dev.larder.array.entry;

import dev.larder.memory.CorruptException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * An entry whose large values lie elsewhere. Little-endian; {@code docs/formats/array.md} describes it.
 *
 * <pre>
 * whole  | version 1 ... SET a  value 1  ... SET b  value 2  ... |
 * log    | version 3 | where the values were | version 1 ... SET a ... SET b ... | zeros |
 * values                                   | value 1 | value 2 |
 *
 * 0         1       5                 9      13
 * | version | whole | CRC-32C, values | cuts | cut ... | the rest ... | zeros ... |
 * cut       | key's offset 4 | key's length 4 | value's offset 4 | value's length 4 |      in the whole entry
 * </pre>
 *
 * The log's part has at least a 32nd of the bytes of the values. So a segment of the log never stands for very many value bytes.
 */
public final class SplitEntry {

    private static final byte VERSION = 3;
    private static final int HEAD_BYTES = 13;
    private static final int CUT_BYTES = 16;
    private static final int VALUES_TIMES = 32;

    private final int wholeBytes;
    private final int checksum;
    private final List<ValueCut> cuts;
    private final ByteBuffer rest;

    private SplitEntry(int wholeBytes, int checksum, List<ValueCut> cuts, ByteBuffer rest) {
        this.wholeBytes = wholeBytes;
        this.checksum = checksum;
        this.cuts = cuts;
        this.rest = rest;
    }

    /**
     * Splits a whole entry; empty if it has no large value.
     *
     * @throws CorruptException if the bytes are not an entry
     */
    public static Optional<SplitParts> split(ByteBuffer whole) {
        List<ValueCut> cuts = LargeValues.of(whole);
        if (cuts.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer values = ByteBuffer.allocate(valueBytes(cuts));
        cuts.forEach(cut -> values.put(part(whole, cut.offset(), cut.length())));
        values.flip();
        int logBytes = HEAD_BYTES + cuts.size() * CUT_BYTES + whole.remaining() - values.remaining();
        ByteBuffer log = allocate(Math.max(logBytes, values.remaining() / VALUES_TIMES));
        log.put(VERSION).putInt(whole.remaining()).putInt(checksum(values)).putInt(cuts.size());
        cuts.forEach(cut -> log.putInt(cut.keyOffset())
                .putInt(cut.keyLength())
                .putInt(cut.offset())
                .putInt(cut.length()));
        int from = 0;
        for (ValueCut cut : cuts) {
            log.put(part(whole, from, cut.offset() - from));
            from = cut.offset() + cut.length();
        }
        log.put(part(whole, from, whole.remaining() - from));
        return Optional.of(new SplitParts(log.clear(), values));
    }

    /** Returns whether the bytes of a log's entry belong to an entry whose values lie elsewhere. */
    public static boolean isSplit(ByteBuffer log) {
        return log.hasRemaining() && log.get(log.position()) == VERSION;
    }

    /**
     * Returns the part of an entry that the log holds.
     *
     * @throws CorruptException if the bytes do not belong to an entry whose values lie elsewhere
     */
    public static SplitEntry of(ByteBuffer log) {
        ByteBuffer in = log.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (in.get() != VERSION) {
                throw new CorruptException("an entry keeps its values apart, but has another version");
            }
            int wholeBytes = in.getInt();
            int checksum = in.getInt();
            List<ValueCut> cuts = cuts(in);
            return new SplitEntry(
                    wholeBytes,
                    checksum,
                    cuts,
                    in.slice(in.position(), Math.subtractExact(wholeBytes, valueBytes(cuts))));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | ArithmeticException e) {
            throw cutOff(e);
        }
    }

    private static List<ValueCut> cuts(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || (long) count * CUT_BYTES > in.remaining()) {
            throw new CorruptException("an entry counts " + count + " values in " + in.remaining() + " bytes");
        }
        List<ValueCut> cuts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            cuts.add(new ValueCut(in.getInt(), in.getInt(), in.getInt(), in.getInt()));
        }
        return cuts;
    }

    /** Returns where the values are in the whole entry, in their order. */
    public List<ValueCut> cuts() {
        return List.copyOf(cuts);
    }

    /**
     * Returns the values with their keys, in their order.
     *
     * @throws CorruptException if the values do not belong to the entry
     */
    public List<KeyedValue> keyed(ByteBuffer values) {
        requireOwn(values);
        List<KeyedValue> keyed = new ArrayList<>(cuts.size());
        int before = 0;
        try {
            for (ValueCut cut : cuts) {
                keyed.add(new KeyedValue(
                        rest.slice(cut.keyOffset() - before, cut.keyLength()), part(values, before, cut.length())));
                before += cut.length();
            }
        } catch (IndexOutOfBoundsException e) {
            throw cutOff(e);
        }
        return keyed;
    }

    /**
     * Returns the whole entry.
     *
     * @throws CorruptException if the values do not belong to the entry
     */
    public ByteBuffer join(ByteBuffer values) {
        requireOwn(values);
        ByteBuffer whole = allocate(wholeBytes);
        ByteBuffer from = rest.duplicate();
        int before = 0;
        try {
            for (ValueCut cut : cuts) {
                take(from, cut.offset() - whole.position(), whole);
                whole.put(part(values, before, cut.length()));
                before += cut.length();
            }
            take(from, whole.remaining(), whole);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferOverflowException e) {
            throw cutOff(e);
        }
        return whole.flip();
    }

    private void requireOwn(ByteBuffer values) {
        if (values.remaining() != valueBytes(cuts) || checksum(values) != checksum) {
            throw new CorruptException("the values of an entry differ from those with which it was made");
        }
    }

    private static CorruptException cutOff(Exception e) {
        return new CorruptException("an entry is cut off or damaged: " + e);
    }

    private static int valueBytes(List<ValueCut> cuts) {
        return Math.toIntExact(cuts.stream().mapToLong(ValueCut::length).sum());
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer part(ByteBuffer all, int from, int bytes) {
        return all.slice(all.position() + from, bytes);
    }

    private static void take(ByteBuffer from, int bytes, ByteBuffer into) {
        into.put(from.slice(from.position(), bytes));
        from.position(from.position() + bytes);
    }

    private static int checksum(ByteBuffer values) {
        CRC32C checksum = new CRC32C();
        checksum.update(values.duplicate());
        return (int) checksum.getValue();
    }
}
