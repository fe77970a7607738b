package dev.larder.map;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A thread that looks a key up while two pages of the index merge finds the entries of both, at each moment of the merge. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "found, until they were one")
@Outcome(expect = Expect.FORBIDDEN, desc = "not found, or they stayed two")
@State
public class StepMergeGetStress {

    private static final StressIndex ALL = new StressIndex(Meeting::reached);
    private static final AtomicInteger STATES = new AtomicInteger();

    private final StressIndex.Place place = ALL.take();
    private final Meeting meeting = new Meeting("index.frozen");
    private final long key;
    private volatile boolean merged;

    public StepMergeGetStress() {
        key = (STATES.getAndIncrement() % 2 == 0 ? place.lower() : place.upper()).getFirst();
        ALL.divide(place);
        ALL.one.put(key, 0);
    }

    @Actor
    public void merge() {
        meeting.run(() -> ALL.one.merge(place));
        merged = true;
    }

    @Actor
    public void look(JJ_Result result) {
        meeting.await();
        boolean last = false;
        while (!last && result.r1 == 0) {
            last = merged;
            result.r1 = ALL.other.get(key);
        }
    }

    @Arbiter
    public void end(JJ_Result result) {
        result.r2 = ALL.isOne(place) ? 1 : 0;
        ALL.giveBack(place);
    }
}
