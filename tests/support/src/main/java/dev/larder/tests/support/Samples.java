package dev.larder.tests.support;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Random inputs for a property that must hold for all: seeded, so that what fails once fails again. */
public final class Samples {

    private static final int TRIES = 1000;

    private Samples() {}

    /** Checks a property a thousand times; the error of a failure names its seed. */
    public static void check(Consumer<RandomGenerator> property) {
        for (int seed = 0; seed < TRIES; seed++) {
            try {
                property.accept(new SplittableRandom(seed));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** Returns a number within two bounds, which come often themselves. */
    public static int intWithin(RandomGenerator random, int least, int greatest) {
        return switch (random.nextInt(8)) {
            case 0 -> least;
            case 1 -> greatest;
            default -> (int) random.nextLong(least, greatest + 1L);
        };
    }
}
