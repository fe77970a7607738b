package dev.larder.tests.support;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Inputs that follow from a number, so that a failure can be repeated. */
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

    /**
     * Returns bytes that follow from a number, no eight of them the same. To draw each one would take longer than most tests of
     * them.
     */
    public static byte[] bytes(long number, int length) {
        byte[] bytes = new byte[length];
        fill(ByteBuffer.wrap(bytes), number);
        return bytes;
    }

    /** Fills a buffer with bytes that follow from a number, no eight of them the same. */
    public static void fill(ByteBuffer buffer, long number) {
        SplittableRandom random = new SplittableRandom(number);
        long eight = random.nextLong();
        long step = random.nextLong() | 1;
        for (; buffer.remaining() >= Long.BYTES; eight += step) {
            buffer.putLong(eight);
        }
        for (; buffer.hasRemaining(); eight >>>= Byte.SIZE) {
            buffer.put((byte) eight);
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
