package dev.larder.array.pull;

import dev.larder.memory.CorruptException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A frame of the links with which a node pulls files from another. Each request has a number, which its answer repeats.
 * Big-endian.
 *
 * <pre>
 * 0      1           2        10
 * | kind | operation | number | body ...      kind: 7
 *
 * 1 BEGIN    | stripe 16 | least 8 |                       holds the stripe's files, at this entry or a later one
 * 2 BEGUN    | hold 8 | index 8 | list bytes 8 | term 8 |  up to which entry they lead, how long the list of files is, and the
 *                                                          entry's term; nodes of earlier releases leave that out
 * 3 READ     | hold 8 | file 4 | offset 8 | length 4 |     file -1: the list
 * 4 DATA     | CRC-32C 4 | bytes ... |
 * 5 END      | hold 8 |                                    has no answer
 * 6 REFUSED  | reason 1 | text ... |
 * </pre>
 *
 * @param number the number of the request, repeated by the answer
 * @param body the bytes that follow
 */
record PullFrame(Operation operation, long number, ByteBuffer body) {

    static final byte KIND = 7;

    /** The number of the list of files. */
    static final int LIST = -1;

    private static final int HEAD_BYTES = 10;

    /** The operation of a request or an answer. */
    enum Operation {
        BEGIN(1),
        BEGUN(2),
        READ(3),
        DATA(4),
        END(5),
        REFUSED(6);

        private final byte code;

        Operation(int code) {
            this.code = (byte) code;
        }

        private static Operation of(byte code) {
            return Stream.of(values())
                    .filter(one -> one.code == code)
                    .findFirst()
                    .orElseThrow(() -> new CorruptException("unknown operation of a pull: " + code));
        }
    }

    /** The reason of a refusal. */
    enum Reason {
        /** Another source may serve it, or the same one later. */
        NOT_NOW(1),
        /** The files no longer lead to the moment. */
        ENDED(2),
        /** This file is no longer needed. */
        LEFT_OUT(3);

        private final byte code;

        Reason(int code) {
            this.code = (byte) code;
        }

        private static Reason of(byte code) {
            return Stream.of(values())
                    .filter(one -> one.code == code)
                    .findFirst()
                    .orElse(NOT_NOW);
        }
    }

    ByteBuffer encode() {
        return ByteBuffer.allocate(HEAD_BYTES + body.remaining())
                .put(KIND)
                .put(operation.code)
                .putLong(number)
                .put(body.duplicate())
                .flip();
    }

    /**
     * Returns the message of a frame, whose bytes are copied.
     *
     * @throws CorruptException if the frame is not valid
     */
    static PullFrame decode(ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        if (in.remaining() < HEAD_BYTES || in.get() != KIND) {
            throw new CorruptException("a frame of " + frame.remaining() + " bytes is not a frame of a pull");
        }
        Operation operation = Operation.of(in.get());
        long number = in.getLong();
        ByteBuffer body = ByteBuffer.allocate(in.remaining()).put(in).flip();
        return new PullFrame(operation, number, body);
    }

    static ByteBuffer begin(UUID stripe, long least) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(stripe.getMostSignificantBits())
                .putLong(stripe.getLeastSignificantBits())
                .putLong(least)
                .flip();
    }

    static ByteBuffer read(long hold, int file, long offset, int length) {
        return ByteBuffer.allocate(2 * Long.BYTES + 2 * Integer.BYTES)
                .putLong(hold)
                .putInt(file)
                .putLong(offset)
                .putInt(length)
                .flip();
    }

    static ByteBuffer longs(long... values) {
        ByteBuffer out = ByteBuffer.allocate(values.length * Long.BYTES);
        for (long value : values) {
            out.putLong(value);
        }
        return out.flip();
    }

    static ByteBuffer refused(Reason reason, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + bytes.length).put(reason.code).put(bytes).flip();
    }

    /** Returns the refusal that a body holds. */
    static Refusal refusal(ByteBuffer body) {
        try {
            Reason reason = Reason.of(body.get());
            return new Refusal(reason, StandardCharsets.UTF_8.decode(body).toString());
        } catch (BufferUnderflowException e) {
            throw new CorruptException("a refusal of a pull has no reason", e);
        }
    }

    /** A refusal. */
    record Refusal(Reason reason, String text) {}
}
