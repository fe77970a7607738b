package dev.larder.map;

import dev.larder.codec.ValueCodec;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A thread that reads a value in place while it is replaced sees the whole of one of the two. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the former value")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the new one")
@Outcome(expect = Expect.FORBIDDEN, desc = "half of each, or none")
@State
public class ReadReplacedStress {

    private static final StressMap<byte[]> ALL = new StressMap<>(ValueCodec.bytes());

    private final Long key = ALL.key();

    public ReadReplacedStress() {
        write(0);
    }

    private void write(long number) {
        ALL.map.write(key, 2 * Long.BYTES, (segment, offset, length) -> {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, number);
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + Long.BYTES, number);
        });
    }

    @Actor
    public void read(JJ_Result result) {
        result.r1 = StressMap.NONE;
        ALL.map.read(key, (segment, offset, length) -> {
            result.r1 = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            result.r2 = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + Long.BYTES);
        });
    }

    @Actor
    public void replace() {
        write(1);
    }

    @Arbiter
    public void remove() {
        ALL.map.remove(key);
    }
}
