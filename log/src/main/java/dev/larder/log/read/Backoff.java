package dev.larder.log.read;

/** The length of a pause where no writer wakes the reader: short at first, as a record may come at once, then long. */
final class Backoff {

    private static final long SHORT_NANOS = 50_000;
    private static final long SHORT_UNTIL_NANOS = 20_000_000;
    private static final long LONG_NANOS = 20_000_000;

    private Backoff() {}

    /** Returns the next pause after a wait: 50 us for 20 ms, then a tenth of the wait, up to 20 ms. */
    static long nanos(long waitedNanos) {
        return waitedNanos < SHORT_UNTIL_NANOS ? SHORT_NANOS : Math.min(waitedNanos / 10, LONG_NANOS);
    }
}
