package dev.larder.array.node;

import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.resp.ProtocolException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import java.nio.ByteBuffer;

/** The length that a write may give to a value: by its own bytes, or by an offset that it names. */
final class WriteReach {

    /** The greatest length of a value. */
    private static final long MOST_BYTES = 64 << 20;

    private static final int OFFSET = 2;

    private WriteReach() {}

    /** Returns the most bytes that an operation may add to a value, as far as its requests tell. */
    static long bytes(Operation operation) {
        long reach = 0;
        for (EntryCall call : operation.calls()) {
            reach = Math.max(reach, reach(call));
        }
        return reach + operation.sizeBytes();
    }

    private static long reach(EntryCall call) {
        Request request = new Request();
        try {
            new RequestParser(RequestLimits.defaults()).parse(ByteBuffer.wrap(call.request()), request);
        } catch (ProtocolException e) {
            throw new IllegalStateException("a command of this node is no request", e);
        }
        if (request.is(0, "bitfield")) {
            return MOST_BYTES; // an offset may be in many places
        }
        boolean reaches = request.count() > OFFSET && (request.is(0, "setrange") || request.is(0, "setbit"));
        if (!reaches || !request.isInteger(OFFSET)) {
            return 0;
        }
        long offset = request.integer(OFFSET);
        return Math.clamp(request.is(0, "setbit") ? offset / Byte.SIZE : offset, 0, MOST_BYTES);
    }
}
