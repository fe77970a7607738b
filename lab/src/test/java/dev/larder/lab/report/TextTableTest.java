package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void standsInColumns() {
        TextTable table = new TextTable().row("name", "a second").row("a longer name", "7");
        assertThat(table).hasToString("name           a second\na longer name         7\n");
    }

    @Test
    void writesFiguresByTheirNamesAndLeavesColumnsOutThatSayNothing() {
        List<Figures> rows = List.of(
                new Figures()
                        .put("name", "one")
                        .put("p99_us", 1234.5)
                        .put("never_ms", null)
                        .put("held_bytes", 2048L),
                new Figures()
                        .put("name", "two")
                        .put("wide", true)
                        .put("errors", 12_345)
                        .put("share", 0.126));
        TextTable table =
                TextTable.of(rows, Column.all("name | p99_us | never_ms | held_bytes | wide | errors | share"));
        assertThat(table.rows())
                .containsExactly(
                        List.of("name", "p99 us", "held bytes", "wide", "errors", "share"),
                        List.of("one", "1.23 ms", "2 KiB", "–", "–", "–"),
                        List.of("two", "–", "–", "yes", "12,345", "0.13"));
        assertThat(table.isEmpty()).isFalse();
        assertThat(TextTable.of(List.of(), Column.all("name")).isEmpty()).isTrue();
    }

    @Test
    void writesFiguresOfOneNameTogetherAndTheirUnitOnce() {
        List<Figures> rows = List.of(
                new Figures().put("all_us", 20).put("all_us_min", 0).put("all_us_max", 30),
                new Figures().put("all_us", 20).put("all_us_min", 10).put("all_us_max", 30_000),
                new Figures().put("all_us", null));
        assertThat(TextTable.of(rows, "all (from..to)=all_us (_min.._max)").rows())
                .containsExactly(
                        List.of("all (from..to)"),
                        List.of("20 (0..30 µs)"),
                        List.of("20 µs (10 µs..30 ms)"),
                        List.of("–"));
    }
}
