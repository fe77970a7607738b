package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void standsInColumns() {
        TextTable table = new TextTable().row("name", "a second").row("a longer name", "7");
        assertThat(table).hasToString("name           a second\na longer name         7\n");
    }

    @Test
    void leavesColumnsOutThatSayNothing() {
        TextTable table = new TextTable()
                .row("name", "never", "once", "always", "ragged")
                .row("one", "-", "-", "1", "-")
                .row("two", "-", "2", "2");
        assertThat(table.withoutColumnsOf("-").rows())
                .containsExactly(
                        List.of("name", "once", "always", "ragged"),
                        List.of("one", "-", "1", "-"),
                        List.of("two", "2", "2"));
    }

    @Test
    void keepsTheColumnsOfAHeadingAlone() {
        List<String> heading = List.of("name", "-");
        assertThat(new TextTable().row("name", "-").withoutColumnsOf("-").rows())
                .containsExactly(heading);
        assertThat(new TextTable().withoutColumnsOf("-").rows()).isEmpty();
    }
}
