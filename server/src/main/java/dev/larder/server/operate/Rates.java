package dev.larder.server.operate;

/**
 * The rates of the server in a recent time, for each second.
 *
 * @param commands commands that were run
 * @param inputBytes bytes that clients have sent
 * @param outputBytes bytes that were sent to them
 */
record Rates(double commands, double inputBytes, double outputBytes) {

    static final Rates NONE = new Rates(0, 0, 0);

    private static final double SECOND_NANOS = 1e9;

    /** Returns the rates of a time, from the growth of the counts in it. A count that was set to 0 has not grown. */
    static Rates of(long commands, long inputBytes, long outputBytes, long nanos) {
        return new Rates(rate(commands, nanos), rate(inputBytes, nanos), rate(outputBytes, nanos));
    }

    private static double rate(long count, long nanos) {
        return Math.max(0, count) * SECOND_NANOS / Math.max(1, nanos);
    }
}
