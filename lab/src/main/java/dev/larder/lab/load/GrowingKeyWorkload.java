package dev.larder.lab.load;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Gets and puts of the keys that a target has by then, each as likely as any other, and puts of keys that it does not have
 * yet.
 *
 * <p>What is there by then only the target knows: a request names a place among all keys, which {@link GrowingKeys#at} makes
 * a key of, or says {@link #NEW}.
 */
public final class GrowingKeyWorkload implements Workload {

    /** In place of a place: the next key that is not there yet. */
    public static final long NEW = -1;

    private static final int PERCENT = 100;

    private final SplittableRandom random;
    private final double writesPercent;
    private final double newPercent;

    /** A workload in which so many requests of a hundred are writes, and so many of a hundred writes are of new keys. */
    public GrowingKeyWorkload(double writesPercent, double newPercent, long seed) {
        if (!(writesPercent >= 0 && writesPercent <= PERCENT) || !(newPercent >= 0 && newPercent <= PERCENT)) {
            throw new IllegalArgumentException(
                    "writes and new keys must be 0 to 100 %, found " + writesPercent + " and " + newPercent);
        }
        this.random = new SplittableRandom(seed);
        this.writesPercent = writesPercent;
        this.newPercent = newPercent;
    }

    @Override
    public List<String> kinds() {
        return List.of("get", "put");
    }

    @Override
    public void next(Request request) {
        boolean write = random.nextDouble() * PERCENT < writesPercent;
        boolean isNew = write && random.nextDouble() * PERCENT < newPercent;
        request.set(write ? KeyWorkload.PUT : KeyWorkload.GET, isNew ? NEW : random.nextLong() >>> 1);
    }
}
