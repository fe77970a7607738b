package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A removed value goes to the remover, and to no other thread; a value that is put after that stays. */
@JCStressTest
@Outcome(id = "0, 1, -1", expect = Expect.ACCEPTABLE, desc = "put, then removed")
@Outcome(id = "-1, 0, 1", expect = Expect.ACCEPTABLE, desc = "removed, then put")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value lost, or back again")
@State
public class PutRemoveStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());

    private final long key = ALL.key();

    public PutRemoveStress() {
        ALL.map.set(key, 0L);
    }

    @Actor
    public void put(JJJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.put(key, 1L));
    }

    @Actor
    public void remove(JJJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.remove(key));
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = StressMap.orNone(ALL.map.remove(key));
    }
}
