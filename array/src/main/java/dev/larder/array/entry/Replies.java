package dev.larder.array.entry;

import dev.larder.memory.CorruptException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The replies to an entry's operations, in their order. They stay on the node that submitted the entry.
 *
 * <pre>
 * | count 4 | operations ...
 * operation | replies 4 | length 4, reply | ...      -1 replies: a watched key has changed
 * </pre>
 *
 * @param operations for each operation the replies to its calls; empty if a watched key had changed, and nothing was done
 */
public record Replies(List<Optional<List<byte[]>>> operations) {

    private static final int ABORTED = -1;
    private static final byte[] NIL_2 = {'*', '-', '1', '\r', '\n'};
    private static final byte[] NIL_3 = {'_', '\r', '\n'};

    /** Creates replies; the list is copied. */
    public Replies {
        operations = List.copyOf(operations);
    }

    /** Returns a nil array in a version of the protocol. */
    public static byte[] nil(int version) {
        return (version == 2 ? NIL_2 : NIL_3).clone();
    }

    /** Returns whether a reply is a nil array. */
    public static boolean isNil(byte[] reply) {
        return Arrays.equals(reply, NIL_2) || Arrays.equals(reply, NIL_3);
    }

    /** Returns the bytes of the replies. */
    public ByteBuffer encode() {
        int bytes = Integer.BYTES;
        for (Optional<List<byte[]>> operation : operations) {
            bytes += Integer.BYTES;
            for (byte[] reply : operation.orElse(List.of())) {
                bytes += Integer.BYTES + reply.length;
            }
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putInt(operations.size());
        for (Optional<List<byte[]>> operation : operations) {
            out.putInt(operation.map(List::size).orElse(ABORTED));
            for (byte[] reply : operation.orElse(List.of())) {
                out.putInt(reply.length).put(reply);
            }
        }
        return out.flip();
    }

    /**
     * Returns the replies of some bytes.
     *
     * @throws CorruptException if the bytes are not valid replies
     */
    public static Replies decode(ByteBuffer in) {
        try {
            int count = in.getInt();
            List<Optional<List<byte[]>>> operations = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int replies = in.getInt();
                operations.add(replies == ABORTED ? Optional.empty() : Optional.of(replies(in, replies)));
            }
            return new Replies(operations);
        } catch (BufferUnderflowException e) {
            throw new CorruptException("replies are cut off: " + e);
        }
    }

    private static List<byte[]> replies(ByteBuffer in, int count) {
        List<byte[]> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] reply = new byte[in.getInt()];
            in.get(reply);
            replies.add(reply);
        }
        return replies;
    }
}
