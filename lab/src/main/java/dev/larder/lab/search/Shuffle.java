package dev.larder.lab.search;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The numbers from 0 on in random order, pass after pass; each pass has each number once. */
final class Shuffle {

    private final List<Integer> order;
    private final SplittableRandom random;
    private int at;

    /** Passes of so many numbers. */
    Shuffle(int count, SplittableRandom random) {
        if (count < 1) {
            throw new IllegalArgumentException("nothing to shuffle: " + count);
        }
        this.order = IntStream.range(0, count).boxed().collect(Collectors.toList());
        this.random = random;
        this.at = count;
    }

    boolean isPassDone() {
        return at == order.size();
    }

    int next() {
        if (isPassDone()) {
            Collections.shuffle(order, random);
            at = 0;
        }
        return order.get(at++);
    }
}
