package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** If two threads replace the same value by their own, one succeeds. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first has replaced it")
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second has")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, or neither")
@State
public class ReplaceStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final Long key = ALL.key();

    public ReplaceStress() {
        ALL.map.set(key, 0L);
    }

    @Actor
    public void one(JJJ_Result result) {
        result.r1 = ALL.map.replace(key, 0L, 1L) ? 1 : 0;
    }

    @Actor
    public void two(JJJ_Result result) {
        result.r2 = ALL.map.replace(key, 0L, 2L) ? 1 : 0;
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = StressMap.orNone(ALL.map.remove(key));
    }
}
