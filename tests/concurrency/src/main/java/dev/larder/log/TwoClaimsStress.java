package dev.larder.log;

import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two writers never claim one place, and a walk from the head reaches both claims, with the hint and without. */
@JCStressTest
@Outcome(id = "0, 16, 2", expect = Expect.ACCEPTABLE, desc = "the first came first")
@Outcome(id = "24, 0, 2", expect = Expect.ACCEPTABLE, desc = "the second came first")
@Outcome(expect = Expect.FORBIDDEN, desc = "a claim lost, taken twice or out of reach")
@State
public class TwoClaimsStress {

    private final Segment segment = StressMemory.next().segment();

    @Actor
    public void one(JJJ_Result result) {
        result.r1 = claim(8, (1 << 16) | 1);
    }

    @Actor
    public void two(JJJ_Result result) {
        result.r2 = claim(16, (2 << 16) | 1);
    }

    @Arbiter
    public void walk(JJJ_Result result) {
        long at = segment.head;
        while (segment.wordAcquire(at) != RecordWord.FREE) {
            at = segment.next(at, segment.wordAcquire(at));
            result.r3++;
        }
    }

    /** Claims as an appender does; returns the offset from the head. */
    private long claim(int length, int owner) {
        long at = segment.hintAfter(segment.head);
        while (!Words.compareAndSet(segment.memory, at, RecordWord.FREE, RecordWord.reserved(length, owner))) {
            at = segment.next(at, segment.wordAcquire(at));
        }
        segment.hintRelease(at + RecordWord.sizeBytes(length));
        return at - segment.head;
    }
}
