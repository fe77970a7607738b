package dev.larder.tests.crash;

import dev.larder.map.LarderMap;
import dev.larder.tests.crash.MapWriter.Change;
import java.util.SplittableRandom;

/**
 * The keys that only one thread of a {@link MapMember} changes. So it knows which values it must find, even while other
 * processes die, and for how long if entries have a lifetime.
 */
final class OwnKeys {

    /** How far clocks, rounded to milliseconds, may differ. */
    private static final long SLACK_NANOS = 100_000_000;

    private final LarderMap<Long, Long> map;
    private final MapKind kind;
    private final int number;
    private final int thread;
    private final SplittableRandom random;
    private final long[] values;
    private final long[] called;
    private final long[] returned;

    OwnKeys(LarderMap<Long, Long> map, MapKind kind, int number, int thread) {
        this.map = map;
        this.kind = kind;
        this.number = number;
        this.thread = thread;
        this.random = new SplittableRandom(number * 64L + thread);
        int keys = MapWriter.keys(number);
        this.values = new long[keys];
        this.called = new long[keys];
        this.returned = new long[keys];
    }

    /** Makes the change with this number; looks at another key now and then. */
    void change(long count) {
        Change change = Change.of(number, thread, count);
        int key = change.key();
        called[key] = System.nanoTime();
        if (change.value() == 0) {
            map.remove(MapWriter.key(number, thread, key));
        } else {
            map.put(MapWriter.key(number, thread, key), change.value());
        }
        returned[key] = System.nanoTime();
        values[key] = change.value();
        if (count % 4 == 0) {
            look(random.nextInt(values.length));
        }
    }

    private void look(int key) {
        long before = System.nanoTime();
        long found = map.getOrDefault(MapWriter.key(number, thread, key), 0L);
        long after = System.nanoTime();
        boolean right = found == 0 ? mayBeGone(key, after) : found == values[key] && mayBeThere(key, before);
        if (!right) {
            throw new AssertionError("key " + key + " of thread " + thread + " of process " + number + " is " + found
                    + ", expected " + values[key] + ", which was put " + (before - returned[key]) / 1_000_000
                    + " ms ago");
        }
    }

    private boolean mayBeGone(int key, long after) {
        return values[key] == 0
                || switch (kind) {
                    case PLAIN, QUIET -> false;
                    case CACHE -> true;
                    case LIFETIMES -> after - called[key] > MapKind.LIFETIME.toNanos() - SLACK_NANOS;
                };
    }

    private boolean mayBeThere(int key, long before) {
        return kind != MapKind.LIFETIMES || before - returned[key] < MapKind.LIFETIME.toNanos() + SLACK_NANOS;
    }
}
