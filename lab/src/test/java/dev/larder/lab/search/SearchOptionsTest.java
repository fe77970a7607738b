package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.process.Collector;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SearchOptionsTest {

    private static final long MIB = 1L << 20;

    private static final SearchOptions.Index SMALL =
            new SearchOptions.Index(null, 2_000, 0, 2 * MIB, 2, List.of(), null);

    /** Options of a run that is as small as it can be and still has everything. */
    private static final SearchOptions.Hosts HERE = new SearchOptions.Hosts(null, "127.0.0.1");

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
                HERE,
                forks,
                1,
                false);
    }

    @Test
    void ofACorpusOnlyTheNameIsTold() {
        SearchOptions.Index named = new SearchOptions.Index(
                Path.of("/home/somebody/dump.xml"), 2_000, 0, MIB, 5, List.of(), Path.of("/var/index"));
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
                HERE,
                null,
                1,
                false);
        assertThat(Settings.figures(options).text("corpus")).isEqualTo("dump.xml");
        assertThat(Settings.figures(options).toJson())
                .doesNotContain("somebody")
                .doesNotContain("/var");
    }
}
