package dev.larder.array.plan;

/**
 * Rendezvous hashing: each chooser draws a number for each option, and prefers the least (Thaler and Ravishankar, Using name-based
 * mappings to increase hit rates, IEEE/ACM Transactions on Networking 6(1), 1998). An option that comes or goes does not change
 * the order of the others. The numbers are exponentially distributed, with the weight as their rate. So an option comes first in
 * proportion to its weight.
 */
enum Rendezvous {
    /** Copy sets draw for nodes. */
    NODES_OF_SETS(1),
    /** Stripes draw for copy sets. */
    SETS_OF_STRIPES(2),
    /** Stripes draw for nodes. */
    NODES_OF_STRIPES(3),
    /** Stripes draw for the member that is the witness. */
    WITNESSES(4),
    /** Stripes draw for the member that leads. */
    LEADERS(5);

    /** The bound of drawn numbers: 37.5 is the greatest logarithm, and weights are 1 to 100. */
    static final long LIMIT = 1L << 38;

    private static final double SCALE = 1L << 26;

    private final int salt; // makes the draws for one purpose independent of those for another

    Rendezvous(int salt) {
        this.salt = salt;
    }

    /** Returns the number that a chooser draws for an option of a given weight. */
    long draw(long seed, int chooser, int option, int weight) {
        long hash = mixed(mixed(mixed(seed + salt) + chooser) + option);
        double uniform = ((hash >>> 11) + 0.5) * 0x1p-53;
        // StrictMath gives the same on every machine.
        return (long) (-StrictMath.log(uniform) * SCALE * Node.WEIGHT_MAX / weight);
    }

    /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014). */
    private static long mixed(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
