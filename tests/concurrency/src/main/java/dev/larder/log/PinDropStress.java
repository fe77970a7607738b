package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.Pins;
import dev.larder.memory.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** One thread enters a segment, and another drops it: the first sees that the segment is gone, or the second sees the pin. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "entered; the dropper sees the pin and does not recycle")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "dropped; who would enter sees it")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both see each other")
@Outcome(expect = Expect.FORBIDDEN, desc = "entered and recycled")
@State
public class PinDropStress {

    private final ControlFile control = StressMemory.next().control();
    private final Pins pins = new Pins(control, 0);
    private final Pins.Lane lane = new Pins.Lane();

    @Actor
    public void enter(JJ_Result result) {
        pins.move(lane, 0);
        result.r1 = control.firstVolatile();
    }

    /** The protocol of dropping: {@code first} moves, then the dropper reads the pins. */
    @Actor
    public void drop(JJ_Result result) {
        Words.compareAndSet(control.memory, ControlLayout.FIRST, 0, 1);
        result.r2 = Words.getVolatile(control.memory, ControlLayout.pin(0));
    }
}
