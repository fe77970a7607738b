package dev.larder.map;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A record that the cleaner carries loses to a put of its key, in either order. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "carried, then replaced")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "replaced: there was nothing to carry")
@Outcome(expect = Expect.FORBIDDEN, desc = "the put is lost")
@State
public class CarryPutStress {

    private static final StressIndex ALL = new StressIndex();

    private final long key = ALL.key();
    private final long carried;

    public CarryPutStress() {
        ALL.one.put(key, 0);
        carried = ALL.one.position(key);
    }

    @Actor
    public void carry(JJJ_Result result) {
        result.r1 = ALL.one.clean(carried) ? 1 : 0;
    }

    @Actor
    public void put(JJJ_Result result) {
        result.r2 = ALL.other.put(key, 1);
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = ALL.one.get(key);
        ALL.one.forget(key);
    }
}
