package dev.larder.memory.region;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Regions that are arrays of bytes. */
final class HeapMemory implements UnnamedSource {

    @Override
    public Region create(long bytes, Arena arena) {
        MemorySegment array = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        return new Region(RegionKind.HEAP, "", array, RegionBacking.NONE);
    }

    @Override
    public String toString() {
        return "a heap region";
    }
}
