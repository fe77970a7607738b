package dev.larder.array;

/**
 * How a member that was away comes back: by the entries that it lacks, or by files if there are more of them. Immutable.
 *
 * @param logBytes how many bytes of entries a member keeps at most for members that are away, 16 MiB to 1 TiB, each stripe
 * @param pullBytesPerSecond the highest rate at which a node pulls files, 1 MiB to 64 GiB a second
 */
public record CatchUp(long logBytes, long pullBytesPerSecond) {

    private static final long LOG_BYTES = 4L << 30;
    private static final long LOG_BYTES_LEAST = 16L << 20;
    private static final long LOG_BYTES_MOST = 1L << 40;
    private static final long PULL_BYTES = 64L << 20;
    private static final long PULL_BYTES_LEAST = 1L << 20;
    private static final long PULL_BYTES_MOST = 64L << 30;
    private static final CatchUp DEFAULTS = new CatchUp(LOG_BYTES, PULL_BYTES);

    /** Creates options; each must be in its range. */
    public CatchUp {
        requireWithin("log-bytes", logBytes, LOG_BYTES_LEAST, LOG_BYTES_MOST);
        requireWithin("pull-rate", pullBytesPerSecond, PULL_BYTES_LEAST, PULL_BYTES_MOST);
    }

    private static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " is not within " + least + " and " + most);
        }
    }

    /** Returns the defaults: 4 GiB of entries, 64 MiB of files a second. */
    public static CatchUp defaults() {
        return DEFAULTS;
    }
}
