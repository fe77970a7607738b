package dev.larder.map;

import dev.larder.map.index.Lookup;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A use that prolongs an entry does not bring it back once it is removed. */
@JCStressTest
@Outcome(id = "0, 1, -1", expect = Expect.ACCEPTABLE, desc = "prolonged, then removed")
@Outcome(id = "0, 0, -1", expect = Expect.ACCEPTABLE, desc = "found, then removed: there was nothing to prolong")
@Outcome(id = "-1, 0, -1", expect = Expect.ACCEPTABLE, desc = "removed, then looked for")
@Outcome(expect = Expect.FORBIDDEN, desc = "back again, or the removal found nothing")
@State
public class ProlongRemoveStress {

    private static final StressUses USES = new StressUses();

    private final long key = USES.all.key();

    public ProlongRemoveStress() {
        USES.putShorter(key, 0);
    }

    @Actor
    public void use(JJJ_Result result) {
        result.r1 = USES.use(key);
    }

    @Actor
    public void remove(JJJ_Result result) {
        Lookup probe = USES.all.other.probe(key);
        USES.all.other.remove(probe);
        result.r2 = USES.isProlonged(probe) ? 1 : 0;
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = USES.all.one.get(key);
        USES.all.one.forget(key);
    }
}
