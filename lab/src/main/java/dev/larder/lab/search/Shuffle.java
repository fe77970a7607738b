package dev.larder.lab.search;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The numbers from 0 on in random order, pass after pass; each pass has each of them once. */
final class Shuffle {

    private final int[] order;
    private final SplittableRandom random;
    private int at;

    /** Passes of so many numbers. */
    Shuffle(int count, SplittableRandom random) {
        if (count < 1) {
            throw new IllegalArgumentException("nothing to shuffle: " + count);
        }
        this.order = IntStream.range(0, count).toArray();
        this.random = random;
        this.at = count;
    }

    /** Returns whether all numbers of a pass have come. */
    boolean isPassDone() {
        return at == order.length;
    }

    int next() {
        if (isPassDone()) {
            shuffle();
            at = 0;
        }
        return order[at++];
    }

    private void shuffle() {
        for (int last = order.length - 1; last > 0; last--) {
            int chosen = random.nextInt(last + 1);
            int kept = order[last];
            order[last] = order[chosen];
            order[chosen] = kept;
        }
    }
}
