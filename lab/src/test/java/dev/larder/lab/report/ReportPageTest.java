package dev.larder.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportPageTest {

    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"&";

    @Test
    void escapesWhateverTextItIsGiven() {
        String page = new ReportPage(HOSTILE, HOSTILE)
                .badge(false, HOSTILE)
                .heading(HOSTILE)
                .paragraph(HOSTILE)
                .table(new TextTable().row(HOSTILE, HOSTILE))
                .foldedTable(HOSTILE, new TextTable().row(HOSTILE))
                .facts(new Figures().put(HOSTILE, HOSTILE))
                .chart(new Plot(
                        "n",
                        HOSTILE,
                        Axis.plain(HOSTILE),
                        Axis.plain(HOSTILE),
                        List.of(new Plot.Curve(HOSTILE, List.of(1.0), List.of(1.0)))))
                .chart(new BarChart(
                        "n",
                        HOSTILE,
                        Axis.plain(HOSTILE),
                        List.of(HOSTILE),
                        List.of(BarChart.Group.of(HOSTILE, List.of(1.0)))))
                .html();
        assertThat(page).doesNotContain("<img").doesNotContain("</script><");
    }

    @Test
    void refusesEverythingThatIsNotInThePage() {
        assertThat(new ReportPage("title", "lead").html())
                .contains("default-src 'none'")
                .doesNotContain("src=")
                .doesNotContain("@import")
                .doesNotContain("href=");
    }
}
