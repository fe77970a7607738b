package dev.larder.array.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Handles the frames of other nodes, in the thread of the links. Must not wait. */
@FunctionalInterface
public interface FrameReceiver {

    /**
     * Handles a frame, which is valid until the call returns. Returns the frame to answer with, or null.
     *
     * @throws dev.larder.memory.CorruptException if the frame is not valid: the link is closed
     */
    @Nullable
    ByteBuffer received(int node, ByteBuffer frame);
}
