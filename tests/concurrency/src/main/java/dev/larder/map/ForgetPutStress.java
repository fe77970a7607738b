package dev.larder.map;

import dev.larder.map.index.Lookup;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A removal that the cleaner forgets loses no put of its key: the put finds the removal, or another slot. */
@JCStressTest
@Outcome(id = "-1, 1, 1", expect = Expect.ACCEPTABLE, desc = "put over the removal, which was not forgotten")
@Outcome(id = "-1, 0, 1", expect = Expect.ACCEPTABLE, desc = "forgotten, then put")
@Outcome(expect = Expect.FORBIDDEN, desc = "the put is lost")
@State
public class ForgetPutStress {

    private static final StressIndex ALL = new StressIndex();

    private final long key = ALL.key();
    private final long removal;

    public ForgetPutStress() {
        ALL.one.put(key, 0);
        ALL.one.remove(key);
        removal = ALL.one.position(key);
    }

    @Actor
    public void forget() {
        ALL.one.clean(removal);
    }

    /** The put was linked over the last state that it has found. */
    @Actor
    public void put(JJJ_Result result) {
        Lookup probe = ALL.other.probe(key);
        result.r1 = ALL.other.put(probe, 1);
        result.r2 = probe.state() == removal ? 1 : 0;
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r3 = ALL.one.get(key);
        ALL.one.forget(key);
    }
}
