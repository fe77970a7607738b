package dev.larder.memory.region;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Transfers between memory and channels. The system reads and writes the memory itself, in steps that a buffer can span. The
 * JDK first copies a whole step of heap bytes, so those steps are small.
 *
 * <pre>
 * segment  |--------- 1 GiB ---------|--------- 1 GiB ---------|----|
 * buffer    ^ position                ^
 * </pre>
 */
final class RegionChannels {

    private static final long STEP_BYTES = 1L << 30;
    private static final long HEAP_STEP_BYTES = 256L << 10;

    private RegionChannels() {}

    /** Writes until all bytes are written or the channel takes none. Returns how many bytes it took. */
    static long write(MemorySegment source, WritableByteChannel target) throws IOException {
        long done = 0;
        int step = 1;
        while (step > 0 && done < source.byteSize()) {
            step = target.write(step(source, done).asByteBuffer());
            done += step;
        }
        return done;
    }

    /** Reads until the segment is full, or the channel gives no bytes or has ended. Returns how many bytes it gave. */
    static long read(MemorySegment target, ReadableByteChannel source) throws IOException {
        long done = 0;
        int step = 1;
        while (step > 0 && done < target.byteSize()) {
            step = source.read(step(target, done).asByteBuffer());
            done += Math.max(0, step);
        }
        return done;
    }

    private static MemorySegment step(MemorySegment all, long done) {
        long most = all.isNative() ? STEP_BYTES : HEAP_STEP_BYTES;
        return all.asSlice(done, Math.min(most, all.byteSize() - done));
    }
}
