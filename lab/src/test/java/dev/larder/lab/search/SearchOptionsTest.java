package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchOptionsTest {

    /** The options of a run that is as small as possible but still has all parts; the options of a test follow them. */
    private static final List<String> SMALL = Rows.names(
            "--docs 2k --words 2MiB --tasks 2 --collectors g1 --heap 96MiB --threads 1 --reopen 200ms --pressure-rate 0"
                    + " --percent 50 --seconds 1 --warm-up 500ms");

    static SearchOptions options(Path index, String... further) {
        List<String> all = new ArrayList<>(SMALL);
        all.addAll(List.of("--index", index.toString()));
        all.addAll(List.of(further));
        return Settings.parse(SearchOptions.class, all.toArray(String[]::new));
    }

    @Test
    void ofACorpusOnlyTheNameIsTold() {
        Figures told = Settings.figures(options(Path.of("/var/index"), "--corpus", "/home/somebody/dump.xml"));
        assertThat(told.text("corpus")).isEqualTo("dump.xml");
        assertThat(told.toJson()).doesNotContain("somebody").doesNotContain("/var");
    }
}
