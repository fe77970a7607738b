package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two threads that add to the same value both succeed, even if there is no value yet. */
@JCStressTest
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "the first came first")
@Outcome(id = "2, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second came first")
@Outcome(expect = Expect.FORBIDDEN, desc = "an addition lost")
@State
public class MergeStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final Long key = ALL.key();

    @Actor
    public void one(JJJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.merge(key, 1L, Long::sum));
    }

    @Actor
    public void two(JJJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.merge(key, 1L, Long::sum));
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = StressMap.orNone(ALL.map.remove(key));
    }
}
