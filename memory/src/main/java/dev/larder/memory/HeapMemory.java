package dev.larder.memory;

import java.lang.foreign.MemorySegment;

/** Regions that are arrays of bytes. */
final class HeapMemory implements UnnamedSource {

    @Override
    public Region create(long bytes) {
        MemorySegment array = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        return new Region(RegionKind.HEAP, "", array, null, RegionBacking.NONE);
    }

    @Override
    public String toString() {
        return "a heap region";
    }
}
