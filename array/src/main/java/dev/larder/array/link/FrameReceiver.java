package dev.larder.array.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Takes the frames of other nodes, in the thread of the links, and must not wait. */
@FunctionalInterface
public interface FrameReceiver {

    /**
     * Takes a frame, which is valid until the call returns; returns the frame to answer with, or null.
     *
     * @throws dev.larder.memory.CorruptException if it makes no sense: the link is closed
     */
    @Nullable
    ByteBuffer received(int node, ByteBuffer frame);
}
