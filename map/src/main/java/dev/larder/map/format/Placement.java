package dev.larder.map.format;

/**
 * Splits a hash into the parts that find its word.
 *
 * <pre>
 *  63                  32 31                     0
 * | x: group, partition  | directory, tag         |
 * </pre>
 *
 * The high bits of x select the group, its low 12 bits the partition. The low bits of the lower half select the directory
 * entry; the lowest 20 are the tag. The upper two bits of the tag select the first line of a group to search.
 */
public final class Placement {

    public static final int PARTITIONS = 64;

    private static final int TABLE_SIZE = 1 << 12;
    private static final byte[] PARTITION = shares();

    private Placement() {}

    /**
     * Returns shares that grow as 2^(i/64), so that pages are filled to all degrees at any time, and do not all split at
     * once.
     */
    private static byte[] shares() {
        byte[] table = new byte[TABLE_SIZE];
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int i = start(partition); i < start(partition + 1); i++) {
                table[i] = (byte) partition;
            }
        }
        return table;
    }

    /** Returns how many of {@code hashes} hashes fall to a partition. */
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

    /** Returns the line of a group at which the search for a tag begins. */
    public static int homeLine(int tag) {
        return tag >>> (IndexWord.TAG_BITS - 2);
    }

    /** Returns the entry of {@code depth} bits in a partition's directory that a hash leads to. */
    public static int entry(long hash, int depth) {
        return (int) hash & ((1 << depth) - 1);
    }

    /** Returns true for one hash in 32, in every page: its bits select neither the page nor the group. */
    public static boolean isSample(long hash) {
        return (hash >>> 44 & 31) == 0;
    }
}
