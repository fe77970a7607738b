package dev.larder.tests.redis;

/**
 * What became of a test.
 *
 * @param test the test
 * @param outcome how it ended
 * @param message what the suite says about a failure; else empty
 * @param millis how long it took
 */
record TestResult(TestName test, Outcome outcome, String message, long millis) {

    private static final int MESSAGE_MAX = 600;

    /** How a test ends. */
    enum Outcome {
        /** as the suite expects */
        OK,
        /** the suite says that it failed */
        FAILED,
        /** the server was gone behind it */
        DIED,
        /** it did not end in time */
        HUNG,
        /** the suite does not run it by itself, as it is tagged */
        IGNORED,
        /** something failed between tests, so that the suite did not come to it */
        NOT_REACHED
    }

    /** A message is one line of bounded length. */
    TestResult {
        message = message.replaceAll("\\s+", " ").replaceAll("[^ -~]", "?").trim();
        if (message.length() > MESSAGE_MAX) {
            message = message.substring(0, MESSAGE_MAX) + " ...";
        }
    }

    boolean isOk() {
        return outcome == Outcome.OK;
    }

    @Override
    public String toString() {
        String line = test + " | " + outcome.name().toLowerCase(java.util.Locale.ROOT);
        return message.isEmpty() ? line : line + " | " + message;
    }
}
