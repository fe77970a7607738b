package dev.larder.map;

import dev.larder.map.index.Lookup;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A put of an entry that a use prolongs stays, with its own time. */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "prolonged, then replaced")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "found, then replaced: there was nothing to prolong")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "replaced, then looked for")
@Outcome(expect = Expect.FORBIDDEN, desc = "the put is lost, or what was put before has come back")
@State
public class ProlongPutStress {

    private static final StressUses USES = new StressUses();

    private final long key = USES.all.key();

    public ProlongPutStress() {
        USES.putShorter(key, 0);
    }

    @Actor
    public void use(JJJ_Result result) {
        result.r1 = USES.use(key);
    }

    @Actor
    public void put(JJJ_Result result) {
        Lookup probe = USES.all.other.probe(key);
        USES.all.other.put(probe, 1);
        result.r2 = USES.isProlonged(probe) ? 1 : 0;
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = USES.all.one.get(key);
        USES.all.one.forget(key);
    }
}
