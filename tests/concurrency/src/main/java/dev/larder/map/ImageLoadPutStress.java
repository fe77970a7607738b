package dev.larder.map;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Who puts loads the step from the image before: no other process that loads it, too, takes the put away again. */
@JCStressTest
@Outcome(id = "0, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "looked for, then put")
@Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "put, then looked for")
@Outcome(expect = Expect.FORBIDDEN, desc = "the put is lost, or what the image has")
@State
public class ImageLoadPutStress {

    private static final StressIndex ALL = new StressIndex();

    static {
        ALL.writeImage();
    }

    private final StressIndex.Place place = ALL.take();
    private final long key = place.lower().getFirst();

    public ImageLoadPutStress() {
        ALL.leaveInImage(place);
    }

    @Actor
    public void look(JJJJ_Result result) {
        result.r1 = ALL.one.get(key);
    }

    @Actor
    public void put(JJJJ_Result result) {
        result.r2 = ALL.other.put(key, 1);
    }

    @Arbiter
    public void end(JJJJ_Result result) {
        result.r3 = ALL.one.get(key);
        result.r4 = ALL.one.get(place.upper().getFirst());
        ALL.giveBack(place);
    }
}
