package dev.larder.map;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A thread that puts again and again, while two pages of the index merge, loses no put to a page that is no longer in use. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "each has found the one before, and the two are one")
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the same, but who put has decided for one of them alone")
@Outcome(expect = Expect.FORBIDDEN, desc = "a put was left behind in one of the two")
@State
public class StepMergePutStress {

    private static final StressIndex ALL = new StressIndex(Meeting::reached);
    private static final AtomicInteger STATES = new AtomicInteger();

    private final StressIndex.Place place = ALL.take();
    private final Meeting meeting;
    private final StressPuts puts;
    private final long beside;

    /** The puts begin before or after both pages are frozen, in one half or the other. */
    public StepMergePutStress() {
        int number = STATES.getAndIncrement();
        boolean lower = number % 2 == 0;
        meeting = new Meeting(number / 2 % 2 == 0 ? Meeting.START : "index.frozen");
        puts = new StressPuts(ALL.other, (lower ? place.lower() : place.upper()).getFirst());
        beside = (lower ? place.upper() : place.lower()).getFirst();
        ALL.divide(place);
        ALL.one.put(beside, 0);
    }

    @Actor
    public void merge() {
        meeting.run(() -> ALL.one.merge(place));
        puts.end();
    }

    @Actor
    public void put() {
        meeting.await();
        puts.run();
    }

    @Arbiter
    public void look(JJJ_Result result) {
        result.r1 = puts.areAllThere() ? 1 : 0;
        result.r2 = ALL.one.get(beside);
        result.r3 = ALL.isOne(place) ? 1 : 0;
        ALL.giveBack(place);
    }
}
