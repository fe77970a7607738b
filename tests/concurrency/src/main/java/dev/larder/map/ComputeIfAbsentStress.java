package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two threads that compute a missing value get the same one. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "that of the first")
@Outcome(id = "2, 2, 2", expect = Expect.ACCEPTABLE, desc = "that of the second")
@Outcome(expect = Expect.FORBIDDEN, desc = "one got a value that did not stay")
@State
public class ComputeIfAbsentStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final Long key = ALL.key();

    @Actor
    public void one(JJJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.computeIfAbsent(key, absent -> 1L));
    }

    @Actor
    public void two(JJJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.computeIfAbsent(key, absent -> 2L));
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = StressMap.orNone(ALL.map.remove(key));
    }
}
