package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.process.Collector;
import dev.larder.lab.study.Settings;
import org.junit.jupiter.api.Test;

final class HeapOptionsTest {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    /** Returns the small options of tests, followed by those of a test. */
    static HeapOptions options(String arguments) {
        String small = "--live 32MiB --subjects concurrent-hash-map,region --small-heap 64MiB --collectors g1"
                + " --off-heap-collectors g1 --rate 500 --refresh 0 --seconds 1 --warm-up 400ms ";
        return Settings.parse(HeapOptions.class, (small + arguments).split(" ", -1));
    }

    @Test
    void aHeapIsTwiceTheValuesAndAboveTwoGibibytesLess() {
        HeapOptions options = options("--live 1GiB");
        assertThat(options.heaps().bytes(256 * MIB)).isEqualTo(512 * MIB);
        assertThat(options.heaps().bytes(GIB)).isEqualTo(2 * GIB);
        assertThat(options.heaps().bytes(2 * GIB)).isEqualTo(4 * GIB);
        assertThat(options.heaps().bytes(6 * GIB)).isEqualTo(10 * GIB);
        assertThat(options("--heap-factor 3").heaps().bytes(5 * MIB)).isEqualTo(16 * MIB); // rounded up to whole 2 MiB
    }

    @Test
    void thePhaseOfTheBulkLoadCanBeLeftOut() {
        assertThat(options("--live 1GiB").requests().phases()).containsExactly(Phase.STEADY);
        assertThat(options("--refresh 1").requests().phases()).containsExactly(Phase.STEADY, Phase.REFRESH);
    }

    @Test
    void theMemoryOfACandidateIsThatOfEverythingBesideItToo() {
        HeapOptions options = options("--live 2GiB");
        String onHeap = new Candidate(HeapSubject.HASH_MAP, Collector.ZGC, 2 * GIB, 4 * GIB, 10)
                .memory(options)
                .toString();
        assertThat(onHeap).startsWith("4 GiB heap + 256 MiB collector's tables").contains("generator", "page cache");
        Candidate region = new Candidate(HeapSubject.REGION, Collector.G1, 2 * GIB, 256 * MIB, 10);
        assertThat(region.memory(options).toString()).startsWith("256 MiB heap + 2.01 GiB off-heap region");
        assertThat(region.command()).contains("-XX:+UseG1GC", "-XX:+AlwaysPreTouch", "-Xmx262144k");
    }
}
