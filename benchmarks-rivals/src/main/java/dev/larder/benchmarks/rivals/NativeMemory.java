package dev.larder.benchmarks.rivals;

import java.lang.foreign.MemorySegment;

/** All of this process's memory as one segment, since rivals hand out addresses. */
final class NativeMemory {

    static final MemorySegment ALL = all();

    private NativeMemory() {}

    @SuppressWarnings("restricted")
    private static MemorySegment all() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }
}
