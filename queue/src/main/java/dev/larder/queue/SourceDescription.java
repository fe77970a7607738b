package dev.larder.queue;

import dev.larder.log.IntegrityMode;
import dev.larder.memory.CorruptException;
import dev.larder.queue.connection.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;

/**
 * The description of a source queue, which a receiver gets before the messages.
 *
 * @param identity the queue's random identifier
 * @param largestSegmentBytes the size up to which its segments grow; its messages fit into a queue with the same size
 * @param integrity how its payloads are protected
 */
record SourceDescription(UUID identity, long largestSegmentBytes, IntegrityMode integrity) {

    /** The identity for a queue that is not yet known. */
    static final UUID NONE = new UUID(0, 0);

    static SourceDescription of(QueueInfo info) {
        return new SourceDescription(info.identity(), info.largestSegmentBytes(), info.integrity());
    }

    Frame frame() {
        ByteBuffer payload = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(Frame.magic()).putLong(identity.getMostSignificantBits());
        payload.putLong(identity.getLeastSignificantBits()).putLong(largestSegmentBytes);
        payload.putInt(List.of(IntegrityMode.values()).indexOf(integrity));
        return new Frame(Frame.Kind.BEGINNING, 0, payload.array());
    }

    static SourceDescription parse(Frame frame, String source) {
        ByteBuffer payload = ByteBuffer.wrap(frame.payload()).order(ByteOrder.LITTLE_ENDIAN);
        if (frame.kind() != Frame.Kind.BEGINNING || payload.remaining() != 36 || !frame.hasMagic()) {
            throw new CorruptException(
                    source + ": the stream of the queue does not begin with a description of the source");
        }
        int mode = payload.getInt(32);
        List<IntegrityMode> modes = List.of(IntegrityMode.values());
        if (mode < 0 || mode >= modes.size()) {
            throw new CorruptException(source + ": integrity " + mode + ", expected 0 to " + (modes.size() - 1));
        }
        return new SourceDescription(
                new UUID(payload.getLong(8), payload.getLong(16)), payload.getLong(24), modes.get(mode));
    }

    static Frame request(UUID identity, CopyScope scope, long from) {
        ByteBuffer payload = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(Frame.magic()).putLong(identity.getMostSignificantBits());
        payload.putLong(identity.getLeastSignificantBits());
        Frame.Kind kind = scope == CopyScope.DURABLE ? Frame.Kind.DURABLE_REQUEST : Frame.Kind.REQUEST;
        return new Frame(kind, from, payload.array());
    }

    /** Returns the identity of the queue that a request names. */
    static UUID requested(Frame request, String source) {
        boolean isRequest = request.kind() == Frame.Kind.REQUEST || request.kind() == Frame.Kind.DURABLE_REQUEST;
        if (!isRequest || request.payload().length != 24 || !request.hasMagic()) {
            throw new CorruptException(source + ": not a request for a queue");
        }
        ByteBuffer payload = ByteBuffer.wrap(request.payload()).order(ByteOrder.LITTLE_ENDIAN);
        return new UUID(payload.getLong(8), payload.getLong(16));
    }
}
