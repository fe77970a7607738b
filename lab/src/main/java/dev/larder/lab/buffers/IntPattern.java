package dev.larder.lab.buffers;

import dev.larder.memory.region.Region;

/**
 * The numbers that fill a block, in order: each is the previous one plus an odd step.
 *
 * @param first number
 */
record IntPattern(int first) {

    private static final int STEP = 0x9e3779b1;

    /** Returns the pattern of a block, which depends on seed, round and block. */
    static IntPattern of(long seed, long round, long block) {
        return new IntPattern((int) ((seed * 31 + round) * 1_000_003 + block));
    }

    /** Writes every number of a region, by typed puts in ascending order. */
    void write(Region region) {
        int value = first;
        long end = region.sizeBytes();
        for (long offset = 0; offset < end; offset += Integer.BYTES) {
            region.putInt(offset, value);
            value += STEP;
        }
    }

    /** Returns how many numbers of a region differ from the written ones. */
    long wrong(Region region) {
        long wrong = 0;
        int value = first;
        for (long offset = 0; offset < region.sizeBytes(); offset += Integer.BYTES) {
            wrong += region.getInt(offset) == value ? 0 : 1;
            value += STEP;
        }
        return wrong;
    }

    /** Returns how many of the first and the last number of a region differ from the written ones. */
    int wrongAtEnds(Region region) {
        long last = region.sizeBytes() / Integer.BYTES - 1;
        int lastValue = first + (int) last * STEP;
        return (region.getInt(0) == first ? 0 : 1) + (region.getInt(last * Integer.BYTES) == lastValue ? 0 : 1);
    }
}
