package dev.larder.resp;

/**
 * How large a request may be.
 *
 * @param bulkMaxBytes the longest argument, 1 MiB to 2 GiB less 64 KiB; Redis calls it {@code proto-max-bulk-len}
 * @param inlineMaxBytes the longest line: an inline request, or the line that begins a request or an argument; 1 KiB to 1 MiB
 */
public record RequestLimits(int bulkMaxBytes, int inlineMaxBytes) {

    private static final int BULK_LEAST_BYTES = 1 << 20;
    private static final int BULK_MOST_BYTES = Integer.MAX_VALUE - (64 << 10);
    private static final int INLINE_LEAST_BYTES = 1 << 10;
    private static final int INLINE_MOST_BYTES = 1 << 20;
    private static final RequestLimits DEFAULTS = new RequestLimits(512 << 20, 64 << 10);

    /** Checks the limits; each must be in its range. */
    public RequestLimits {
        check("the longest argument", bulkMaxBytes, BULK_LEAST_BYTES, BULK_MOST_BYTES);
        check("the longest line", inlineMaxBytes, INLINE_LEAST_BYTES, INLINE_MOST_BYTES);
    }

    private static void check(String what, int bytes, int least, int most) {
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException(what + ": " + bytes + " bytes, not between " + least + " and " + most);
        }
    }

    /** Returns the limits of Redis: arguments of 512 MiB, lines of 64 KiB. */
    public static RequestLimits defaults() {
        return DEFAULTS;
    }

    /** Returns limits with another longest argument. */
    public RequestLimits withBulkMaxBytes(int bytes) {
        return new RequestLimits(bytes, inlineMaxBytes);
    }
}
