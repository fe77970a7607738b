package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Wake;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** No reader sleeps through a commit: it sees the record when it looks again, or the sequence moves after its look. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "does not sleep, or is woken")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake")
@State
public class WakeStress {

    private static final SharedWait NOBODY = new SharedWait() {
        @Override
        public void await(MemorySegment segment, long offset, int expected, long timeoutNanos) {}

        @Override
        public void wakeAll(MemorySegment segment, long offset) {}
    };

    private final StressMemory.Place place = StressMemory.next();
    private final Segment segment = place.segment();
    private final Wake wake = new Wake(place.control(), NOBODY);
    private int asleepOn;

    @Actor
    public void append() {
        long committed = RecordWord.committed(segment.salt, segment.position(segment.head), 8, 0);
        Words.compareAndSet(segment.memory, segment.head, RecordWord.FREE, committed);
        wake.committed();
    }

    @Actor
    public void sleep() {
        asleepOn = announceAndLook();
    }

    @Arbiter
    public void look(Z_Result result) {
        int sequence = Words.getIntVolatile(place.control().memory, ControlLayout.WAKE_SEQUENCE);
        result.r1 = asleepOn == sequence;
    }

    /** Acts as a reader; returns the sequence on which it would sleep, or -1 if it would not sleep. */
    private int announceAndLook() {
        int announced = wake.announce();
        return Words.getVolatile(segment.memory, segment.head) == RecordWord.FREE ? announced : -1;
    }
}
