package dev.larder.resp;

import java.nio.ByteBuffer;

/** The output for the bytes of replies: the send buffer of a session. It grows as far as it must, and never blocks. */
public interface ReplyOutput {

    /** Appends a byte. */
    void write(byte value);

    /** Appends a range of an array. */
    void write(byte[] bytes, int offset, int length);

    /** Appends a range of a buffer, whose position does not matter and does not move. */
    void write(ByteBuffer bytes, int offset, int length);

    /** Returns how many bytes were appended that have not been sent yet. */
    int sizeBytes();

    /** Forgets the last bytes, down to a size that {@link #sizeBytes} has returned since anything was sent. */
    void truncate(int sizeBytes);
}
