package dev.larder.map.format;

/**
 * Where a hash leads.
 *
 * <pre>
 *  63                  32 31                     0
 * | x: group, partition  | directory, tag         |
 * </pre>
 *
 * The group by the high bits of x, the partition by its low 12; the directory by the low bits of the lower half, of which
 * the lowest 20 are the tag. The upper two bits of the tag say with which line of a group to begin.
 */
public final class Placement {

    public static final int PARTITIONS = 64;

    private static final int TABLE_SIZE = 1 << 12;
    private static final byte[] PARTITION = shares();

    private Placement() {}

    /** Shares that grow as 2^(i/64): so their steps are filled to all degrees at any time, and do not split at once. */
    private static byte[] shares() {
        byte[] table = new byte[TABLE_SIZE];
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int i = start(partition); i < start(partition + 1); i++) {
                table[i] = (byte) partition;
            }
        }
        return table;
    }

    /** Returns how many of so many hashes fall to a partition. */
    public static long share(int partition, long hashes) {
        return (long) ((double) hashes * (start(partition + 1) - start(partition)) / TABLE_SIZE);
    }

    /** Returns how much of the table the partitions below have: {@code 4096 (2^(i/64) - 1)}. */
    private static int start(int partition) {
        return (int) Math.round(TABLE_SIZE * (Math.pow(2, (double) partition / PARTITIONS) - 1));
    }

    public static int partition(long hash) {
        return PARTITION[(int) (hash >>> 32) & (TABLE_SIZE - 1)];
    }

    public static int group(long hash) {
        return (int) (((hash >>> 32) * IndexPageLayout.GROUPS) >>> 32);
    }

    public static int tag(long hash) {
        return (int) hash & ((1 << IndexWord.TAG_BITS) - 1);
    }

    /** Returns the line of a group with which the look for a tag begins. */
    public static int homeLine(int tag) {
        return tag >>> (IndexWord.TAG_BITS - 2);
    }

    /** Returns the entry of a partition's directory, of so many bits, that a hash leads to. */
    public static int entry(long hash, int depth) {
        return (int) hash & ((1 << depth) - 1);
    }

    /** Returns true for one hash in 32, in every step: by bits that neither tell the step nor the group. */
    public static boolean isSample(long hash) {
        return (hash >>> 44 & 31) == 0;
    }
}
