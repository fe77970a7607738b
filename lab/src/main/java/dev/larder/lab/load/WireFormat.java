package dev.larder.lab.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The messages between generator and lab targets over TCP, little-endian:
 *
 * <pre>
 * request                                      answer
 *  0 | id        i64 |                          0 | id      i64 |
 *  8 | argument  i64 |                          8 | waited  i64 | ns from reading it to serving it
 * 16 | kind      i32 |                         16 | served  i64 | ns of serving it
 * 20 | length    i32 | of the payload          24 | status  i32 | 0 served
 * 24 | payload       |                         28 | 0       i32 |
 * </pre>
 *
 * Answers come in any order. They carry durations, not times: the clocks of two machines need not agree.
 */
final class WireFormat {

    static final int REQUEST_BYTES = 24;
    static final int ANSWER_BYTES = 32;

    /** The largest payload of a request. */
    static final int PAYLOAD_MAX = 1 << 20;

    private WireFormat() {}

    static ByteBuffer buffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns a copy of a buffer, with twice the size. */
    static ByteBuffer larger(ByteBuffer full) {
        return buffer(full.capacity() * 2).put(full.flip());
    }

    static void putRequest(ByteBuffer buffer, long id, Request request) {
        assert request.payload.length <= PAYLOAD_MAX : request.payload.length;
        buffer.putLong(id)
                .putLong(request.argument)
                .putInt(request.kind)
                .putInt(request.payload.length)
                .put(request.payload);
    }

    static void putAnswer(ByteBuffer buffer, long id, long waited, long served, int status) {
        buffer.putLong(id).putLong(waited).putLong(served).putInt(status).putInt(0);
    }
}
