package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.SplittableRandom;

/** Gets and puts of keys 0 to {@code keys} - 1, each as likely as any other. */
public final class KeyWorkload implements Workload {

    /** The kind of a request that reads a key. */
    public static final int GET = 0;

    /** The kind of a request that writes a key. */
    public static final int PUT = 1;

    private static final int PERCENT = 100;

    private final SplittableRandom random;
    private final double writesPercent;
    private final long keys;

    /** A workload with a percentage of writes. */
    public KeyWorkload(long keys, double writesPercent, long seed) {
        if (keys < 1 || !(writesPercent >= 0 && writesPercent <= PERCENT)) {
            throw new IllegalArgumentException(
                    "keys must be at least 1, found " + keys + "; writes 0 to 100 %, found " + writesPercent);
        }
        this.random = new SplittableRandom(seed);
        this.writesPercent = writesPercent;
        this.keys = keys;
    }

    /** Returns a conductor's settings of it. */
    public static Figures figures(long keys, double writesPercent) {
        return new Figures().put("workload", "keys").put("keys", keys).put("writes_percent", writesPercent);
    }

    @Override
    public List<String> kinds() {
        return List.of("get", "put");
    }

    @Override
    public void next(Request request) {
        boolean write = random.nextDouble() * PERCENT < writesPercent;
        request.set(write ? PUT : GET, random.nextLong(keys));
    }
}
