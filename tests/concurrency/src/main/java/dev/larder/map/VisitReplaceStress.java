package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A thread that records the use of an entry never brings back an entry that was replaced meanwhile. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "looked at, then replaced")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "replaced, then looked at")
@Outcome(expect = Expect.FORBIDDEN, desc = "the former value is back, or none was found")
@State
public class VisitReplaceStress {

    /** This map records uses; its live bytes never come near its bound, so it evicts nothing. */
    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs(), Cleaning.evicting(32 << 20));

    private final Long key = ALL.key();

    public VisitReplaceStress() {
        ALL.map.set(key, 0L);
    }

    @Actor
    public void look(JJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.get(key));
    }

    @Actor
    public void replace() {
        ALL.map.set(key, 1L);
    }

    @Arbiter
    public void remove(JJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.remove(key));
    }
}
