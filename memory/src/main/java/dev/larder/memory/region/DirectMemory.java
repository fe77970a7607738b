package dev.larder.memory.region;

import java.lang.foreign.Arena;

/** Regions allocated from an arena. */
final class DirectMemory implements UnnamedSource {

    private static final long ALIGNMENT = 64; // a cache line

    @Override
    public Region create(long bytes, Arena arena) {
        return new Region(RegionKind.DIRECT, "", arena.allocate(bytes, ALIGNMENT), RegionBacking.NONE);
    }

    @Override
    public String toString() {
        return "a direct region";
    }
}
