package dev.larder.memory;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A channel that stores the bytes written to it, at most a hundred a call, and returns them; it is always open. */
public final class BytesChannel implements ByteChannel {

    private static final int STEP_BYTES = 100;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int read;

    @Override
    public int write(ByteBuffer source) {
        int length = Math.min(STEP_BYTES, source.remaining());
        for (int i = 0; i < length; i++) {
            written.write(source.get());
        }
        return length;
    }

    @Override
    public int read(ByteBuffer target) {
        byte[] all = bytes();
        int length = Math.min(Math.min(STEP_BYTES, target.remaining()), all.length - read);
        target.put(all, read, length);
        read += length;
        return length == 0 ? -1 : length;
    }

    public byte[] bytes() {
        return written.toByteArray();
    }

    /** Returns a channel with the same bytes, the last one first. */
    public BytesChannel reversed() {
        BytesChannel reversed = new BytesChannel();
        byte[] all = bytes();
        for (int i = all.length - 1; i >= 0; i--) {
            reversed.written.write(all[i]);
        }
        return reversed;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
