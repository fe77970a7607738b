package dev.larder.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C (Castagnoli) of ranges of one segment, without allocation.
 *
 * <p>The JDK's CRC takes byte buffers, which are objects and end at 2 GiB. So the segment is covered by windows of 1
 * GiB. Each window is made at its first use, and kept:
 *
 * <pre>
 * segment   |0          1 GiB|           2 GiB|           3 GiB|      |
 *           | window 0       | window 1       | window 2       | 3    |
 * range               |-------------|   = the end of window 0, then the start of window 1
 * </pre>
 *
 * <p>Not thread-safe: one owner at a time uses the windows and the running value. The segment must be native, or an
 * array of bytes.
 *
 * <p>A check over several pieces: {@code crc.start(); crc.add(0, 60); crc.addZeros(4); crc.value()}.
 */
public final class Crc32c {

    private static final int WINDOW_SHIFT = 30;
    private static final long WINDOW_BYTES = 1L << WINDOW_SHIFT;

    private final MemorySegment segment;
    private final ByteBuffer[] windows;
    private final CRC32C crc = new CRC32C();

    /** Makes a CRC for ranges of this segment. */
    public Crc32c(MemorySegment segment) {
        this.segment = segment;
        this.windows = new ByteBuffer[(int) ((segment.byteSize() + WINDOW_BYTES - 1) >>> WINDOW_SHIFT)];
    }

    /** Returns the CRC of a range of any segment. It allocates, so it is not for hot paths. */
    public static int of(MemorySegment segment, long offset, long length) {
        return new Crc32c(segment.asSlice(offset, length)).of(0, length);
    }

    /** Returns the CRC of a range. */
    public int of(long offset, long length) {
        start();
        add(offset, length);
        return value();
    }

    /** Starts a CRC over several pieces. */
    public void start() {
        crc.reset();
    }

    /**
     * Adds a range to the CRC.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the segment
     */
    public void add(long offset, long length) {
        if (offset < 0 || length < 0 || offset > segment.byteSize() - length) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + offset + " of a segment of " + segment.byteSize() + " bytes");
        }
        long at = offset;
        long end = offset + length;
        while (at < end) {
            long stop = Math.min(end, (at | (WINDOW_BYTES - 1)) + 1);
            addWithinWindow(at, stop);
            at = stop;
        }
    }

    /** Adds {@code count} bytes of zero to the CRC. */
    public void addZeros(int count) {
        for (int i = 0; i < count; i++) {
            crc.update(0);
        }
    }

    /** Adds the eight bytes of a number, little-endian, that need not be in the segment. */
    public void addLong(long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (number >>> shift) & 0xFF);
        }
    }

    /** Returns the CRC of the pieces added since {@link #start}. */
    public int value() {
        return (int) crc.getValue();
    }

    private void addWithinWindow(long from, long to) {
        int index = (int) (from >>> WINDOW_SHIFT);
        long base = (long) index << WINDOW_SHIFT;
        ByteBuffer window = window(index);
        window.limit((int) (to - base)).position((int) (from - base));
        crc.update(window);
    }

    @SuppressWarnings("NullAway") // an element is null until it is asked for
    private ByteBuffer window(int index) {
        ByteBuffer window = windows[index];
        if (window == null) {
            long base = (long) index << WINDOW_SHIFT;
            window = segment.asSlice(base, Math.min(WINDOW_BYTES, segment.byteSize() - base))
                    .asByteBuffer();
            windows[index] = window;
        }
        return window;
    }
}
