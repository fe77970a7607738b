package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** If two threads put, the second gets the value of the first, and its own value stays. */
@JCStressTest
@Outcome(id = "-1, 1, 2", expect = Expect.ACCEPTABLE, desc = "the first came first")
@Outcome(id = "2, -1, 1", expect = Expect.ACCEPTABLE, desc = "the second came first")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value lost, or handed out twice")
@State
public class PutPutStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final long key = ALL.key();

    @Actor
    public void one(JJJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.put(key, 1L));
    }

    @Actor
    public void two(JJJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.put(key, 2L));
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = StressMap.orNone(ALL.map.remove(key));
    }
}
