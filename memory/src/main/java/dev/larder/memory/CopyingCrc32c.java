package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * CRC-32C of ranges of any memory, by copying one piece at a time into an array.
 *
 * <pre>
 * range   |  4 KiB |  4 KiB |  rest |
 *            copy     copy     copy      into the same array, which stays in the processor's first cache
 * </pre>
 *
 * <p>{@link Crc32c} hands the JDK a byte buffer. Each call then counts itself in and out of the memory's arena: two
 * compare-and-sets on a word that all threads share. A copy of a short record costs less, and shares nothing. Of one thread;
 * allocates once.
 */
public final class CopyingCrc32c {

    private static final int PIECE_BYTES = 4096;

    private final CRC32C crc = new CRC32C();
    private final byte[] piece = new byte[PIECE_BYTES];

    /** Of the calling thread. */
    public CopyingCrc32c() {
        // allocates the array
    }

    /** Returns the check of a range. */
    public int of(MemorySegment memory, long offset, long length) {
        crc.reset();
        long end = offset + length;
        for (long at = offset; at < end; at += PIECE_BYTES) {
            int bytes = (int) Math.min(PIECE_BYTES, end - at);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, piece, 0, bytes);
            crc.update(piece, 0, bytes);
        }
        return (int) crc.getValue();
    }
}
