package dev.larder.server.transport;

import dev.larder.resp.ReplyOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The replies of a turn of the loop: one pooled buffer, sent as a whole. A connection at rest has none. */
final class TurnBuffer implements ReplyOutput {

    private static final int FIRST_BYTES = 4 << 10;
    private static final int EXPECTED_MAX_BYTES = 64 << 10;

    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf buffer;

    /** How many bytes the turn before had: a client that sends pipelines continues to, and a buffer that grows is copied. */
    private int expectedBytes = FIRST_BYTES;

    TurnBuffer(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    private ByteBuf buffer(int bytes) {
        ByteBuf open = buffer;
        if (open == null) {
            open = allocator.directBuffer(Math.max(expectedBytes, bytes));
            buffer = open;
        }
        return open;
    }

    @Override
    public void write(byte value) {
        buffer(1).writeByte(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        buffer(length).writeBytes(bytes, offset, length);
    }

    @Override
    public void write(ByteBuffer bytes, int offset, int length) {
        buffer(length).writeBytes(bytes.slice(offset, length));
    }

    @Override
    public int sizeBytes() {
        ByteBuf open = buffer;
        return open == null ? 0 : open.readableBytes();
    }

    @Override
    public void truncate(int sizeBytes) {
        ByteBuf open = buffer;
        if (open != null) {
            open.writerIndex(open.readerIndex() + sizeBytes);
        }
    }

    /** Returns the written bytes, which the caller sends and releases; null if there are none. */
    @Nullable
    ByteBuf take() {
        ByteBuf taken = buffer;
        buffer = null;
        if (taken != null) {
            expectedBytes = Math.clamp(taken.readableBytes(), FIRST_BYTES, EXPECTED_MAX_BYTES);
        }
        return taken;
    }

    void release() {
        ByteBuf open = take();
        if (open != null) {
            open.release();
        }
    }
}
