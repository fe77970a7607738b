package dev.larder.map;

import dev.larder.log.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** What two put while the index grows under them is there afterwards: nothing is removed, so it grows all the time. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both are there")
@Outcome(expect = Expect.FORBIDDEN, desc = "one was left behind in the step that was split")
@State
public class GrowthStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final Long first = ALL.key();
    private final Long second = ALL.key();

    @Actor
    public void one() {
        ALL.map.set(first, 1L);
    }

    @Actor
    public void two() {
        ALL.map.set(second, 2L);
    }

    @Arbiter
    public void look(JJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.get(first));
        result.r2 = StressMap.orNone(ALL.map.get(second));
    }
}
