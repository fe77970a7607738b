package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.process.Collector;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HeapOptionsTest {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    /** The small form that tests run. */
    static HeapOptions options(long live, @Nullable Double factor, List<Collector> collectors, double refresh) {
        return options(live, factor, collectors, refresh, 10);
    }

    private static HeapOptions options(
            long live, @Nullable Double factor, List<Collector> collectors, double refresh, double writes) {
        return new HeapOptions(
                List.of(live),
                List.of("concurrent-hash-map", "region"),
                new HeapOptions.Heaps(factor, 64 * MIB, collectors, List.of(Collector.G1)),
                new HeapOptions.Requests(500, 2, writes, refresh),
                1,
                0.4,
                null,
                1,
                false);
    }

    private static HeapOptions sized(long live, @Nullable Double factor) {
        return options(live, factor, List.of(Collector.G1), 0);
    }

    @Test
    void aHeapIsTwiceTheValuesAndAboveTwoGibibytesLess() {
        HeapOptions options = sized(GIB, null);
        assertThat(options.heaps().bytes(256 * MIB)).isEqualTo(512 * MIB);
        assertThat(options.heaps().bytes(GIB)).isEqualTo(2 * GIB);
        assertThat(options.heaps().bytes(2 * GIB)).isEqualTo(4 * GIB);
        assertThat(options.heaps().bytes(6 * GIB)).isEqualTo(10 * GIB);
        assertThat(sized(GIB, 3.0).heaps().bytes(5 * MIB)).isEqualTo(16 * MIB); // whole 2 MiB
    }

    @Test
    void thePhaseOfTheBulkLoadCanBeLeftOut() {
        assertThat(sized(GIB, null).requests().phases()).containsExactly(Phase.STEADY);
        assertThat(options(GIB, null, List.of(Collector.G1), 1).requests().phases())
                .containsExactly(Phase.STEADY, Phase.REFRESH);
    }

    @Test
    void theMemoryOfACandidateIsThatOfEverythingBesideItToo() {
        HeapOptions options = sized(2 * GIB, null);
        String onHeap = new Candidate(HeapSubject.HASH_MAP, Collector.ZGC, 2 * GIB, 4 * GIB, 10)
                .memory(options)
                .toString();
        assertThat(onHeap).startsWith("4 GiB heap + 256 MiB collector's tables").contains("generator", "page cache");
        Candidate region = new Candidate(HeapSubject.REGION, Collector.G1, 2 * GIB, 256 * MIB, 10);
        assertThat(region.memory(options).toString()).startsWith("256 MiB heap + 2.01 GiB off-heap region");
        assertThat(region.command()).contains("-XX:+UseG1GC", "-XX:+AlwaysPreTouch", "-Xmx262144k");
    }
}
