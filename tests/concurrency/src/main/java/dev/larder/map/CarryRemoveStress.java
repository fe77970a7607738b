package dev.larder.map;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A record that the cleaner carries does not bring back a removed entry, in either order. */
@JCStressTest
@Outcome(id = "1, 0, -1", expect = Expect.ACCEPTABLE, desc = "carried, then removed")
@Outcome(id = "0, 0, -1", expect = Expect.ACCEPTABLE, desc = "removed: there was nothing to carry")
@Outcome(expect = Expect.FORBIDDEN, desc = "back again, or the removal found nothing")
@State
public class CarryRemoveStress {

    private static final StressIndex ALL = new StressIndex();

    private final long key = ALL.key();
    private final long carried;

    public CarryRemoveStress() {
        ALL.one.put(key, 0);
        carried = ALL.one.position(key);
    }

    @Actor
    public void carry(JJJ_Result result) {
        result.r1 = ALL.one.clean(carried) ? 1 : 0;
    }

    @Actor
    public void remove(JJJ_Result result) {
        result.r2 = ALL.other.remove(key);
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = ALL.one.get(key);
        ALL.one.forget(key);
    }
}
