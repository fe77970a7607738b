package dev.larder.array.stripe;

import dev.larder.resp.ReplyBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The room for the replies to an entry while it is applied. Each mirror makes the replies, on its heap. A reply that finds no
 * room is replaced by an error, the same on all mirrors. The effect of its command remains.
 *
 * <pre>
 * MULTI | GET 1 MiB | ... 63 more | GET 1 MiB                | INCR | EXEC
 *         its value | ...         | ERR The command was done | 8
 * </pre>
 */
final class ReplyRoom {

    /** The most bytes of the replies to one operation: a command, or a transaction. */
    static final int OPERATION_BYTES = 64 << 20;

    /** The most bytes of the replies to all operations of one entry. */
    static final int ENTRY_BYTES = 128 << 20;

    private static final byte[] LEFT_OUT =
            ("-ERR The command was done, but its reply is too large: the replies to a command or"
                            + " transaction have at most " + (OPERATION_BYTES >> 20)
                            + " MiB, and the replies to an entry at most "
                            + (ENTRY_BYTES >> 20) + " MiB\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private long entryLeft = ENTRY_BYTES;
    private long operationLeft;

    /** Begins the replies to another operation. */
    void beginOperation() {
        operationLeft = OPERATION_BYTES;
    }

    /** Returns the buffer for the next reply. A reply as short as the error always finds room. */
    ReplyBuffer begin() {
        return new ReplyBuffer((int) Math.max(LEFT_OUT.length, Math.min(operationLeft, entryLeft)));
    }

    /** Returns the reply, or the error that replaces it. */
    byte[] end(ReplyBuffer buffer) {
        byte[] reply = buffer.isCut() ? LEFT_OUT : buffer.toByteArray();
        operationLeft -= reply.length;
        entryLeft -= reply.length;
        return reply;
    }
}
