package dev.larder.array.entry;

import dev.larder.memory.CorruptException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of a stripe: a group of writes. Little-endian; {@code docs/formats/array.md} describes it.
 *
 * <pre>
 * 0         1          9       13
 * | version | clock ms | count | operations ...
 *
 * operation | kind 1 | watched 4 | calls 4 | watched keys ... | calls ...      kind: 0 command, 1 transaction
 * watched   | state 8 | length 4 | key |
 * call      | reply version 1 | length 4 | request |
 * </pre>
 *
 * @param clockMillis the leader's time, since 1970, for all its operations
 * @param operations the operations, in the order in which they are done
 */
public record Entry(long clockMillis, List<Operation> operations) {

    /** The most bytes of an entry. */
    public static final int MAX_BYTES = 2 << 20;

    static final int OPERATION_BYTES = 9;
    static final int WATCHED_BYTES = 12;
    static final int CALL_BYTES = 5;
    static final byte VERSION = 1;
    static final int HEAD_BYTES = 13;

    /** Creates an entry; the list is copied. */
    public Entry {
        operations = List.copyOf(operations);
    }

    /** Returns the bytes of the entry. */
    public ByteBuffer encode() {
        int bytes = HEAD_BYTES;
        for (Operation operation : operations) {
            bytes += operation.sizeBytes();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.put(VERSION).putLong(clockMillis).putInt(operations.size());
        for (Operation operation : operations) {
            out.put((byte) (operation.isTransaction() ? 1 : 0));
            out.putInt(operation.watched().size()).putInt(operation.calls().size());
            for (WatchedKey key : operation.watched()) {
                out.putLong(key.state()).putInt(key.key().length).put(key.key());
            }
            for (EntryCall call : operation.calls()) {
                out.put((byte) call.replyVersion())
                        .putInt(call.request().length)
                        .put(call.request());
            }
        }
        return out.flip();
    }

    /**
     * Returns the entry of some bytes.
     *
     * @throws CorruptException if the bytes are not a valid entry
     */
    public static Entry decode(ByteBuffer bytes) {
        ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new CorruptException("an entry has version " + version + ", but this node knows " + VERSION);
            }
            long clock = in.getLong();
            int count = count(in, in.getInt(), OPERATION_BYTES);
            List<Operation> operations = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                operations.add(operation(in));
            }
            if (in.hasRemaining()) {
                throw new CorruptException("after the end of an entry there are " + in.remaining() + " bytes");
            }
            return new Entry(clock, operations);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new CorruptException("an entry is cut off or damaged: " + e);
        }
    }

    private static Operation operation(ByteBuffer in) {
        boolean isTransaction = in.get() != 0;
        int watchedCount = count(in, in.getInt(), WATCHED_BYTES);
        int callCount = count(in, in.getInt(), CALL_BYTES);
        List<WatchedKey> watched = new ArrayList<>(watchedCount);
        for (int i = 0; i < watchedCount; i++) {
            long state = in.getLong();
            watched.add(new WatchedKey(bytes(in), state));
        }
        List<EntryCall> calls = new ArrayList<>(callCount);
        for (int i = 0; i < callCount; i++) {
            calls.add(new EntryCall(in.get(), bytes(in)));
        }
        return new Operation(isTransaction, watched, calls);
    }

    private static int count(ByteBuffer in, int count, int eachBytes) {
        if (count < 0 || (long) count * eachBytes > in.remaining()) {
            throw new CorruptException("an entry counts " + count + " parts in " + in.remaining() + " bytes");
        }
        return count;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[count(in, in.getInt(), 1)];
        in.get(bytes);
        return bytes;
    }
}
