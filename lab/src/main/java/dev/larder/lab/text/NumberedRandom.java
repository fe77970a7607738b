package dev.larder.lab.text;

/**
 * Random numbers for one item, such as a document: SplitMix64, started from a seed and the item's number. It is implemented
 * here because the numbers must be the same on every machine and every JDK.
 */
public final class NumberedRandom {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    /** The numbers of one item. */
    public NumberedRandom(long seed, long number) {
        state = mix(seed + GOLDEN) ^ mix(number * GOLDEN);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /** Returns 64 bits. */
    public long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** Returns a number from 0 to the bound, exclusive. */
    public long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }

    /** Returns a number from 0 to 1, exclusive. */
    public double fraction() {
        return (next() >>> 11) * 0x1p-53;
    }
}
