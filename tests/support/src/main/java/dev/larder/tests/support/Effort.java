package dev.larder.tests.support;

import java.time.Duration;
import java.util.stream.IntStream;

/**
 * How much work a test does. The system property {@code larder.test.effort} sets it: {@code short} in {@code mvn verify},
 * {@code ci} in {@code .ci/run}, {@code soak} in {@code mvn verify -Psoak}.
 *
 * <p>A test that is too long for {@code mvn verify}, with any number of rounds, has the tag {@value #LONG}. A test that judges
 * a duration has the tag {@value #QUIET}, because a busy machine breaks it.
 *
 * <p>A test of random seeds goes on for as long as {@code larder.fuzz.minutes} says, from the seed {@code larder.fuzz.first} on.
 */
public final class Effort {
    /** The tag of tests that {@code mvn verify} leaves out, but {@code .ci/run} runs. */
    public static final String LONG = "long";

    /** The tag of tests that need an otherwise idle machine: only {@code mvn verify -Psoak} runs them. */
    public static final String QUIET = "quiet";

    private static final String EFFORT = System.getProperty("larder.test.effort", "short");

    private static final int FUZZ_MINUTES = Integer.getInteger("larder.fuzz.minutes", 0);
    private static final int FUZZ_FIRST = Integer.getInteger("larder.fuzz.first", 1);

    private Effort() {}

    /** Returns the seeds of this run: those from 1 on, as many as {@link #of} says, or seeds for some time. */
    public static IntStream seeds(int inVerify, int inCi, int inSoak) {
        int count = of(inVerify, inCi, inSoak);
        if (FUZZ_MINUTES == 0) {
            return IntStream.rangeClosed(1, count);
        }
        long end = System.nanoTime() + Duration.ofMinutes(FUZZ_MINUTES).toNanos();
        return IntStream.iterate(FUZZ_FIRST, seed -> System.nanoTime() - end < 0, seed -> seed + 1);
    }

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
