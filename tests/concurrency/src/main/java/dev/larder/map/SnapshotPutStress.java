package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * A snapshot shows one moment between puts, and does not change. Meanwhile one thread puts the same number for a first key and
 * then for a second, again and again.
 */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "before all puts; stable")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "between two numbers; stable")
@Outcome(id = "1, 1, .", expect = Expect.ACCEPTABLE, desc = "between the two puts of a number; stable")
@Outcome(expect = Expect.FORBIDDEN, desc = "of two moments, or changed")
@State
public class SnapshotPutStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final Long first = ALL.key();
    private final Long second = ALL.key();
    private volatile boolean taken;

    public SnapshotPutStress() {
        put(0);
    }

    private void put(long number) {
        ALL.map.set(first, number);
        ALL.map.set(second, number);
    }

    @Actor
    public void take(JJJ_Result result) {
        try (MapSnapshot<Long, Long> snapshot = ALL.map.snapshot()) {
            long last = StressMap.orNone(snapshot.get(second));
            result.r1 = StressMap.orNone(snapshot.get(first)) - last;
            Thread.yield();
            boolean same = StressMap.orNone(snapshot.get(second)) == last
                    && StressMap.orNone(snapshot.get(first)) - last == result.r1;
            result.r2 = same ? 1 : 0;
            result.r3 = last > 0 ? 1 : 0;
        } finally {
            taken = true;
        }
    }

    @Actor
    public void put() {
        long number = 0;
        do {
            number += 1;
            put(number);
        } while (!taken);
    }

    @Arbiter
    public void remove() {
        ALL.map.remove(first);
        ALL.map.remove(second);
    }
}
