package dev.larder.tests.support;

/**
 * How much work a test does. The system property {@code larder.test.effort} sets it: {@code short} in {@code mvn verify},
 * {@code ci} in {@code .ci/run}, {@code soak} in {@code mvn verify -Psoak}.
 *
 * <p>A test that is too long for {@code mvn verify}, with any number of rounds, has the tag {@value #LONG}. A test that judges
 * a duration has the tag {@value #QUIET}, because a busy machine breaks it.
 */
public final class Effort {
    /** The tag of tests that {@code mvn verify} leaves out, but {@code .ci/run} runs. */
    public static final String LONG = "long";

    /** The tag of tests that need an otherwise idle machine: only {@code mvn verify -Psoak} runs them. */
    public static final String QUIET = "quiet";

    private static final String EFFORT = System.getProperty("larder.test.effort", "short");

    private Effort() {}

    /** Returns the one of three numbers of rounds, seeds or trials that applies to this run. */
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
