package dev.larder.map;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/** Two processes that load a step from the image at once both find what is in it, and one of their copies is the step. */
@JCStressTest
@Outcome(id = "0, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "one has copied it, the other found it there")
@Outcome(id = "0, 0, 2, 1", expect = Expect.ACCEPTABLE, desc = "both have copied it, and one gave its copy back")
@Outcome(expect = Expect.FORBIDDEN, desc = "not found, or the step is none that is in use")
@State
public class ImageLoadStress {

    private static final CopiesCount COPIES = new CopiesCount();
    private static final StressIndex ALL = new StressIndex(COPIES);

    static {
        ALL.writeImage();
    }

    private final StressIndex.Place place = ALL.take();
    private volatile long copiesOfOne;
    private volatile long copiesOfOther;

    public ImageLoadStress() {
        ALL.leaveInImage(place);
    }

    @Actor
    public void one(JJJJ_Result result) {
        long before = COPIES.own();
        result.r1 = ALL.one.get(place.lower().getFirst());
        copiesOfOne = COPIES.own() - before;
    }

    @Actor
    public void other(JJJJ_Result result) {
        long before = COPIES.own();
        result.r2 = ALL.other.get(place.upper().getFirst());
        copiesOfOther = COPIES.own() - before;
    }

    @Arbiter
    public void look(JJJJ_Result result) {
        result.r3 = copiesOfOne + copiesOfOther;
        result.r4 = ALL.isUsed(place) ? 1 : 0;
        ALL.giveBack(place);
    }
}
