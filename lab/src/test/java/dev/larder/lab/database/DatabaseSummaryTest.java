package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatabaseSummaryTest {

    private static Figures run(String store, String variant, double insert, double scan, double index, double query) {
        return new Figures()
                .put("store", store)
                .put("variant", variant)
                .put("durability", "commit")
                .put("insert_ms", insert)
                .put("sync_ms", 1.0)
                .put("scan_ms", scan)
                .put("index_ms", index)
                .put("query_ms", query)
                .put("bytes_on_disk", 1000)
                .put("settings", new Figures().put("promise", "of " + store));
    }

    private static DatabaseSummary summary() {
        return new DatabaseSummary(List.of(
                run("h2", "", 900, 120, 0, 60),
                run("sqlite", "journal", 400, 90, 0, 80),
                run("sqlite", "wal", 500, 70, 0, 50),
                run("larder", "", 90, 10, 5, 20),
                run("larder", "", 100, 20, 5, 20),
                run("larder", "", 500, 30, 5, 20),
                run("file", "", 50, 10, 0, 5)));
    }

    @Test
    void takesTheMedianWithMinimumAndMaximumInTheOrderOfTheStores() {
        List<Figures> rows = summary().rows();
        assertThat(rows)
                .extracting(row -> DatabaseSummary.name(row))
                .containsExactly("larder", "file", "sqlite (journal)", "sqlite (wal)", "h2");
        Figures larder = rows.getFirst();
        assertThat(larder.number("insert_ms")).isEqualTo(100);
        assertThat(larder.number("insert_ms_min")).isEqualTo(90);
        assertThat(larder.number("insert_ms_max")).isEqualTo(500);
        assertThat(larder.whole("bytes_on_disk")).isEqualTo(1000);
        assertThat(larder.part("settings").text("promise")).isEqualTo("of larder");
    }

    @Test
    void comparesWithTheFastestVariantOfEachFigure() {
        Figures commit = summary().figures().part("commit");
        Figures insert = commit.part("insert");
        assertThat(insert.number("sqlite_over_larder")).isEqualTo(4);
        assertThat(insert.number("file_over_larder")).isEqualTo(0.5);
        assertThat(insert.text("fastest_database")).isEqualTo("sqlite (journal)");
        assertThat(insert.number("fastest_database_over_larder")).isEqualTo(4);
        assertThat(commit.part("scan").text("fastest_database")).isEqualTo("sqlite (wal)");
        assertThat(commit.part("scan").number("fastest_database_over_larder")).isEqualTo(3.5);
    }

    @Test
    void countsTheTableOfPositionsAsAPartOfOurQueries() {
        Figures query = summary().figures().part("commit").part("query");
        assertThat(query.number("larder_ms")).isEqualTo(25);
        assertThat(query.number("fastest_database_over_larder")).isEqualTo(2);
    }

    @Test
    void hasNoRatioWithoutADatabase() {
        Figures alone = new DatabaseSummary(List.of(run("larder", "", 90, 10, 5, 20)))
                .figures()
                .part("commit")
                .part("insert");
        assertThat(alone.get("fastest_database_over_larder")).isNull();
        assertThat(alone.names()).contains("fastest_database_over_larder");
    }
}
