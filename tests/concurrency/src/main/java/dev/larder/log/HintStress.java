package dev.larder.log;

import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A hint names a place to which every claim before it leads: a thread that sees the hint sees the claim. */
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "neither yet")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the claim without its hint costs walking")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a hint over a hole")
@State
public class HintStress {

    private final Segment segment = StressMemory.next().segment();

    @Actor
    public void claim() {
        Words.compareAndSet(segment.memory, segment.head, RecordWord.FREE, RecordWord.reserved(8, (5 << 16) | 1));
        segment.hintRelease(segment.head + 16);
    }

    @Actor
    public void look(ZZ_Result result) {
        result.r1 = segment.hintAfter(segment.head) > segment.head;
        result.r2 = segment.wordAcquire(segment.head) != RecordWord.FREE;
    }
}
