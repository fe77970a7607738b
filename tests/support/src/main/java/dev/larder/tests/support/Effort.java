package dev.larder.tests.support;

/**
 * How much a test does. The system property {@code larder.test.effort} says it: {@code short} in {@code mvn verify},
 * {@code ci} in {@code .ci/run}, {@code soak} in {@code mvn verify -Psoak}.
 *
 * <p>A test that is too long for {@code mvn verify}, whatever its rounds, has the tag {@value #LONG}. A test that judges
 * how long something takes has the tag {@value #QUIET}: a busy machine breaks it.
 */
public final class Effort {
    /** The tag of tests that {@code mvn verify} leaves out, and {@code .ci/run} has. */
    public static final String LONG = "long";

    /** The tag of tests that need a machine on which nothing else runs: {@code mvn verify -Psoak} alone has them. */
    public static final String QUIET = "quiet";

    private static final String EFFORT = System.getProperty("larder.test.effort", "short");

    private Effort() {}

    /** Returns which of three numbers of rounds, seeds or trials this run has. */
    public static int of(int inVerify, int inCi, int inSoak) {
        return switch (EFFORT) {
            case "short" -> inVerify;
            case "ci" -> inCi;
            case "soak" -> inSoak;
            default ->
                throw new IllegalArgumentException("larder.test.effort " + EFFORT + ": must be short, ci or soak");
        };
    }
}
