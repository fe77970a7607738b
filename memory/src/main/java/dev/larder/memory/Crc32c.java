package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli) of ranges of any memory, by copying one piece at a time into an array.
 *
 * <pre>
 * range   |  4 KiB |  4 KiB |  rest |
 *            copy     copy     copy      into the same array, which stays in the processor's first cache
 * </pre>
 *
 * <p>The JDK's CRC can read mapped memory itself. But then a page that the system cannot serve ends the JVM: its file was truncated, or
 * its device has failed. A copy of such a page throws {@link InternalError} instead. The JDK's CRC also counts itself in and
 * out of the memory's arena, with two compare-and-sets on a word that all threads share. A copy shares nothing.
 *
 * <p>Not thread-safe. Allocates once.
 *
 * <p>A check over several pieces: {@code crc.start(); crc.add(memory, 0, 60); crc.addZeros(4); crc.value()}.
 */
public final class Crc32c {

    private static final int PIECE_BYTES = 4096;

    private final CRC32C crc = new CRC32C();
    private final byte[] piece;

    /** Makes one, for any memory. */
    public Crc32c() {
        this(PIECE_BYTES);
    }

    private Crc32c(int pieceBytes) {
        this.piece = new byte[pieceBytes];
    }

    /** Returns the CRC of a range. It allocates an array no longer than that, or than a piece. */
    public static int of(MemorySegment memory, long offset, long length) {
        return new Crc32c(Math.clamp(length, 0, PIECE_BYTES)).over(memory, offset, length);
    }

    /**
     * Returns the CRC of a range.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the memory
     * @throws InternalError if the system cannot serve a page of it
     */
    public int over(MemorySegment memory, long offset, long length) {
        start();
        add(memory, offset, length);
        return value();
    }

    /** Starts a CRC over several pieces. */
    public void start() {
        crc.reset();
    }

    /**
     * Adds a range to the CRC.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the memory
     * @throws InternalError if the system cannot serve a page of it; in compiled code, perhaps only at
     *     {@link AccessErrors#deliver}
     */
    public void add(MemorySegment memory, long offset, long length) {
        if (offset < 0 || length < 0 || offset > memory.byteSize() - length) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + offset + " of a segment of " + memory.byteSize() + " bytes");
        }
        long end = offset + length;
        for (long at = offset; at < end; at += piece.length) {
            int bytes = (int) Math.min(piece.length, end - at);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, piece, 0, bytes);
            crc.update(piece, 0, bytes);
        }
    }

    /** Adds {@code count} bytes of zero to the CRC. */
    public void addZeros(int count) {
        for (int i = 0; i < count; i++) {
            crc.update(0);
        }
    }

    /** Adds the eight bytes of a number, little-endian, that need not be in memory. */
    public void addLong(long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (number >>> shift) & 0xFF);
        }
    }

    /** Returns the CRC of the pieces added since {@link #start}. */
    public int value() {
        return (int) crc.getValue();
    }
}
