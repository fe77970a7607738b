package dev.larder.array.campaign;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The faults of a run, one after the other: a pure function of the seed, and of whether the network can be cut.
 *
 * @param seed what it is made from
 * @param faults in their order
 */
record Schedule(long seed, List<Fault> faults) {

    private static final int AFTER_LEAST_MILLIS = 300;
    private static final int AFTER_MOST_MILLIS = 2500;
    private static final int LEAST_MILLIS = 1500;
    private static final int MOST_MILLIS = 5000;
    private static final int LEADER_PERCENT = 65;

    static Schedule of(long seed, int count, boolean withCuts) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault.Kind> kinds = Arrays.stream(Fault.Kind.values())
                .filter(kind -> withCuts || !kind.needsCuts())
                .toList();
        int first = random.nextInt(kinds.size());
        List<Fault> faults = IntStream.range(0, count)
                .mapToObj(number -> fault(kinds.get((first + number * 3) % kinds.size()), random))
                .toList();
        return new Schedule(seed, faults);
    }

    private static Fault fault(Fault.Kind kind, SplittableRandom random) {
        return new Fault(
                kind,
                random.nextInt(100) < LEADER_PERCENT,
                random.nextInt(1 << 20),
                random.nextInt(AFTER_LEAST_MILLIS, AFTER_MOST_MILLIS),
                random.nextInt(LEAST_MILLIS, MOST_MILLIS));
    }
}
