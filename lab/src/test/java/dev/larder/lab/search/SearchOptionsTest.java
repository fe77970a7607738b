package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.lab.process.Collector;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SearchOptionsTest {

    private static final long MIB = 1L << 20;

    private static final SearchOptions.Index SMALL = new SearchOptions.Index(null, 2_000, 0, 2 * MIB, 2, null);

    /** Options of a run that is as small as it can be and still has everything. */
    static SearchOptions options(
            SearchOptions.Index index,
            List<SearchDirectory> subjects,
            double updates,
            List<Double> rates,
            SearchOptions.@Nullable Forks forks) {
        return new SearchOptions(
                index,
                subjects,
                List.of(Collector.G1),
                96 * MIB,
                null,
                1,
                new SearchOptions.Beside(updates, 0.2, 0, false, 0),
                new SearchOptions.Loads(rates, List.of(50.0), 1, 0.5),
                forks,
                1,
                false);
    }

    private static void refused(Runnable options, String message) {
        assertThatIllegalArgumentException().isThrownBy(options::run).withMessageContaining(message);
    }

    @Test
    void rangesAreChecked() {
        refused(() -> new SearchOptions.Index(null, 999, 0, MIB, 5, null), "--docs 999 is not from 1k to 1G");
        refused(() -> new SearchOptions.Index(null, 1000, 1, MIB, 5, null), "--vectors 1 is neither 0 nor from 2");
        refused(() -> new SearchOptions.Index(null, 1000, 0, 1, 5, null), "--words 1 B is not from 64KiB");
        refused(() -> new SearchOptions.Index(null, 1000, 0, MIB, 0, null), "--tasks 0 is not from 1 to 500");
        refused(() -> new SearchOptions.Beside(-1, 1, 0, false, 0), "--updates -1.0/s is not from 0");
        refused(() -> new SearchOptions.Beside(1, 0, 0, false, 0), "--reopen 0.0 s is not from 10ms");
        refused(() -> new SearchOptions.Beside(1, 1, -1, false, 0), "--garbage -1 B/s is not from 0");
        refused(() -> new SearchOptions.Beside(1, 1, 0, true, -1), "--pressure-rate -1 B/s is not from 0");
        refused(() -> new SearchOptions.Loads(List.of(0.0), List.of(), 1, 1), "--rates 0.0/s is not from 1");
        refused(() -> new SearchOptions.Loads(List.of(), List.of(300.0), 1, 1), "--percent 300.0 is not from 0.1");
        refused(() -> new SearchOptions.Loads(List.of(), List.of(), 1, 1), "neither --rates nor --percent");
        refused(() -> new SearchOptions.Loads(List.of(1.0), List.of(), 0, 1), "--seconds 0.0 is not from 0.001");
        refused(() -> new SearchOptions.Loads(List.of(1.0), List.of(), 1, -1), "--warm-up -1.0 s is not from 0");
        refused(() -> new SearchOptions.Forks(0), "--forks 0 is not from 1 to 1000");
        refused(
                () -> options(SMALL, List.of(), 0, List.of(1.0), null),
                "--subjects names none of [mmap, mmap-preloaded,");
        refused(
                () -> options(SMALL, List.of(SearchDirectory.LARDER), 0, List.of(1.0), new SearchOptions.Forks(1)),
                "--throughput compares with mmap");
    }

    @Test
    void ofACorpusOnlyTheNameIsTold() {
        SearchOptions.Index named =
                new SearchOptions.Index(Path.of("/home/somebody/dump.xml"), 2_000, 0, MIB, 5, Path.of("/var/index"));
        SearchOptions plain = options(SMALL, List.of(SearchDirectory.MMAP), 0, List.of(1.0), null);
        SearchOptions options = new SearchOptions(
                named,
                plain.subjects(),
                plain.collectors(),
                plain.heapBytes(),
                null,
                1,
                plain.beside(),
                plain.loads(),
                null,
                1,
                false);
        assertThat(Settings.figures(options).text("corpus")).isEqualTo("dump.xml");
        assertThat(Settings.figures(options).toJson())
                .doesNotContain("somebody")
                .doesNotContain("/var");
    }

    @Test
    void subjectsAreKnownByName() {
        assertThat(SearchDirectory.named(" MMap-Locked")).isEqualTo(SearchDirectory.MMAP_LOCKED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SearchDirectory.named("ram"))
                .withMessageContaining("there are: [mmap, mmap-preloaded, mmap-locked, bytebuffers, larder]");
    }
}
