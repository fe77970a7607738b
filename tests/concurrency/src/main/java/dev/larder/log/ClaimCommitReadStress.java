package dev.larder.log;

import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A thread that reads COMMITTED with acquire sees the payload. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "free")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "claimed")
@Outcome(id = "2, 42", expect = Expect.ACCEPTABLE, desc = "committed, and the payload is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "committed without its payload")
@State
public class ClaimCommitReadStress {

    private static final int OWNER = (5 << 16) | 1;

    private final Segment segment = StressMemory.next().segment();

    /** Acts as an appender. */
    @Actor
    public void append() {
        long at = segment.head;
        long reserved = RecordWord.reserved(8, OWNER);
        Words.compareAndSet(segment.memory, at, RecordWord.FREE, reserved);
        segment.hintRelease(at + 16);
        Words.setPlain(segment.memory, at + RecordWord.BYTES, 42);
        long committed = RecordWord.committed(segment.salt, segment.position(at), 8, 0);
        Words.compareAndSet(segment.memory, at, reserved, committed);
    }

    /** Acts as a reader. */
    @Actor
    public void read(JJ_Result result) {
        int state = RecordWord.state(segment.wordAcquire(segment.head));
        result.r1 = state;
        result.r2 = state == RecordWord.COMMITTED ? segment.view.get(Words.LONG, segment.head + RecordWord.BYTES) : 0;
    }
}
