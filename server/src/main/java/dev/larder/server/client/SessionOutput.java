package dev.larder.server.client;

import dev.larder.resp.ReplyOutput;
import java.nio.ByteBuffer;

/** The output of a session's replies: its link, or nothing while the client wants no replies. */
public final class SessionOutput implements ReplyOutput {

    private static final ReplyOutput NOWHERE = new ReplyOutput() {
        @Override
        public void write(byte value) {}

        @Override
        public void write(byte[] bytes, int offset, int length) {}

        @Override
        public void write(ByteBuffer bytes, int offset, int length) {}

        @Override
        public int sizeBytes() {
            return 0;
        }

        @Override
        public void truncate(int sizeBytes) {}
    };

    private final ReplyOutput link;
    private ReplyOutput target;
    private boolean silent;

    public SessionOutput(ReplyOutput link) {
        this.link = link;
        this.target = link;
    }

    public boolean isSilent() {
        return silent;
    }

    public void setSilent(boolean now) {
        silent = now;
        target = now ? NOWHERE : link;
    }

    @Override
    public void write(byte value) {
        target.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        target.write(bytes, offset, length);
    }

    @Override
    public void write(ByteBuffer bytes, int offset, int length) {
        target.write(bytes, offset, length);
    }

    @Override
    public int sizeBytes() {
        return target.sizeBytes();
    }

    @Override
    public void truncate(int sizeBytes) {
        target.truncate(sizeBytes);
    }
}
