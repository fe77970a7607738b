package dev.larder.map;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * The puts of two threads are there after the index has grown under them. Their common page has no slot for the first key, so
 * it is split, while the other thread puts again and again.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "all is there, and it has grown")
@Outcome(expect = Expect.FORBIDDEN, desc = "one was left behind in the step that was split")
@State
public class GrowthStress {

    private static final StressIndex ALL = new StressIndex();
    private static final AtomicInteger STATES = new AtomicInteger();

    private final StressIndex.Place place = ALL.take();
    private final long first = place.lower().getFirst();
    private final StressPuts puts;

    /** Both keys go to the same half, or one to each. */
    public GrowthStress() {
        boolean same = STATES.getAndIncrement() % 2 == 0;
        long second = same ? place.lower().getLast() : place.upper().getFirst();
        puts = new StressPuts(ALL.other, second);
        ALL.fill(place, first, second);
    }

    @Actor
    public void grow() {
        ALL.one.put(first, 1);
        puts.end();
    }

    @Actor
    public void put() {
        puts.run();
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r1 = ALL.one.get(first);
        result.r2 = puts.areAllThere() ? 1 : 0;
        result.r3 = ALL.isOne(place) ? 0 : 1;
        ALL.giveBack(place);
    }
}
