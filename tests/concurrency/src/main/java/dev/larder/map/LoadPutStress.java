package dev.larder.map;

import dev.larder.codec.ValueCodec;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A loader commits a record before it links it, and puts it once more if another thread's put has come in between. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "what was loaded is handed to who puts")
@Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "the put came first, or in between; what was loaded stays")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value that nobody was handed is gone")
@State
public class LoadPutStress {

    private static final StressMap<Long> ALL = new StressMap<>(ValueCodec.longs());
    private static final ThreadLocal<MapLoader<Long, Long>> LOADERS = ThreadLocal.withInitial(ALL.map::loader);

    private final Long key = ALL.key();

    @Actor
    public void load() {
        MapLoader<Long, Long> loader = LOADERS.get();
        loader.put(key, 1L);
        loader.flush();
    }

    @Actor
    public void put(JJ_Result result) {
        result.r1 = StressMap.orNone(ALL.map.put(key, 2L));
    }

    @Arbiter
    public void look(JJ_Result result) {
        result.r2 = StressMap.orNone(ALL.map.remove(key));
    }
}
