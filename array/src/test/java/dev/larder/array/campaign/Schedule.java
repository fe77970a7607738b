package dev.larder.array.campaign;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The faults of a run, one after the other: a pure function of the seed, and of whether the network can be cut. Consecutive seeds
 * go through all kinds. Every second seed moves members meanwhile. Two of four have a witness in the place of a mirror.
 *
 * @param seed what it is made from
 * @param moves whether a node is added, and members move between all nodes, while faults come
 * @param witness whether each stripe has two mirrors and a witness, and not three mirrors
 * @param clocks whether the clocks of nodes are set forward and back. The judge then cannot say when a lifetime ends
 * @param nodes how many nodes the array begins with
 * @param faults in their order
 */
record Schedule(long seed, boolean moves, boolean witness, boolean clocks, int nodes, List<Fault> faults) {

    /** One seed in this many steps the clocks: seed 1 is the first. */
    private static final int CLOCKS_ONE_IN = 3;

    /** One seed in this many has five nodes: seed 3 is the first. */
    private static final int FIVE_ONE_IN = 4;

    private static final int AFTER_LEAST_MILLIS = 300;
    private static final int AFTER_MOST_MILLIS = 1500;
    private static final int LEAST_MILLIS = 1500;
    private static final int MOST_MILLIS = 3500;
    private static final int LEADER_PERCENT = 65;

    static Schedule of(long seed, int count, boolean withCuts) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault.Kind> kinds = Arrays.stream(Fault.Kind.values())
                .filter(kind -> withCuts || !kind.needsCuts())
                .toList();
        int size = kinds.size(); // prime, with cuts and without: so each step leads through all kinds
        long first = (seed - 1) * count;
        long step = 3 + seed / size % (size - 3);
        List<Fault> faults = IntStream.range(0, count)
                .mapToObj(number -> fault(kinds.get((int) ((first + number) * step % size)), random))
                .toList();
        return new Schedule(
                seed,
                seed % 2 == 0,
                seed / 2 % 2 == 1,
                seed % CLOCKS_ONE_IN == 1,
                seed % FIVE_ONE_IN == FIVE_ONE_IN - 1 ? 5 : Campaign.NODES,
                faults);
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
