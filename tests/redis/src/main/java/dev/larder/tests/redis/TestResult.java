package dev.larder.tests.redis;

/**
 * The result of a test.
 *
 * @param test the test
 * @param outcome how it ended
 * @param message the suite's text about a failure; otherwise empty
 * @param millis how long it took
 */
record TestResult(TestName test, Outcome outcome, String message, long millis) {

    private static final int MESSAGE_MAX = 600;

    /** How a test ends. */
    enum Outcome {
        /** as the suite expects */
        OK,
        /** the suite reports a failure */
        FAILED,
        /** the server was gone after the test */
        DIED,
        /** it did not end in time */
        HUNG,
        /** the suite does not run it by default, because of its tag */
        IGNORED,
        /** something failed between tests, so the suite did not reach it */
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
