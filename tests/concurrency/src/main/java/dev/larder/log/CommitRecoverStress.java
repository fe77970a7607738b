package dev.larder.log;

import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.write.Claims;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A writer that is alive but was judged dead, and a thread that pads its claim: one of them wins, and the writer knows.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "the commit won")
@Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "padding won, and the commit failed")
@Outcome(expect = Expect.FORBIDDEN, desc = "acknowledged and padded, or neither")
@State
public class CommitRecoverStress {

    private static final int OWNER = (5 << 16) | 1;
    private static final long RESERVED = RecordWord.reserved(8, OWNER);

    private final StressMemory.Place place = StressMemory.next();
    private final Segment segment = place.segment();
    private final Claims claims = new Claims(
            place.control(),
            new LockFile(new StressMemory.Part(place.control().memory), SystemStorage.portable()),
            (9 << 16) | 1,
            HookedOptions.withStorage(LogOptions.defaults(), SystemStorage.portable()),
            CountersFile.none());

    {
        Words.setPlain(segment.memory, segment.head, RESERVED);
    }

    @Actor
    public void commit(II_Result result) {
        long committed = RecordWord.committed(segment.salt, segment.position(segment.head), 8, 0);
        result.r1 = Words.compareAndSet(segment.memory, segment.head, RESERVED, committed) ? 1 : 0;
    }

    @Actor
    public void recover() {
        claims.settle(segment, segment.head, RESERVED);
    }

    @Arbiter
    public void look(II_Result result) {
        result.r2 = RecordWord.state(segment.wordAcquire(segment.head));
    }
}
