package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A self-contained page with a result: text, tables and charts, light and dark.
 *
 * <p>It opens from a disk, without a network, and runs no script.
 */
public final class ReportPage {

    /** Refuses everything outside the page: nothing is ever fetched. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    private final StringBuilder body = new StringBuilder();
    private int charts;
    private final String title;

    public ReportPage(String title, String lead) {
        this.title = title;
        body.append(element("h1", title)).append(element("p class=\"lead\"", lead));
    }

    /** Returns an element around a text; its attributes follow its name. */
    private static String element(String start, String text) {
        return "<" + start + ">" + Svg.escaped(text) + "</" + start.split(" ", 2)[0] + ">\n";
    }

    public ReportPage badge(boolean good, String text) {
        body.append(element("span class=\"badge " + (good ? "good" : "bad") + "\"", text));
        return this;
    }

    public ReportPage heading(String text) {
        body.append(element("h2", text));
        return this;
    }

    public ReportPage paragraph(String text) {
        body.append(element("p", text));
        return this;
    }

    /** A table whose first row is its head. */
    public ReportPage table(TextTable table) {
        body.append("<div class=\"scroll\"><table>\n")
                .append(row("th", table.rows().getFirst()));
        table.rows().stream().skip(1).forEach(cells -> body.append(row("td", cells)));
        body.append("</table></div>\n");
        return this;
    }

    private static String row(String cell, List<String> texts) {
        return texts.stream()
                .map(text -> "<" + cell + ">" + Svg.escaped(text) + "</" + cell + ">")
                .collect(Collectors.joining("", "<tr>", "</tr>\n"));
    }

    /** A table that is folded until opened. */
    public ReportPage foldedTable(String summary, TextTable table) {
        body.append("<details>").append(element("summary", summary));
        table(table);
        body.append("</details>\n");
        return this;
    }

    /** Names and values, one pair a row. */
    public ReportPage facts(Figures facts) {
        body.append("<div class=\"scroll\"><table>\n");
        facts.names()
                .forEach(name -> body.append("<tr>")
                        .append(element("td", name))
                        .append(element("td class=\"wrap\"", words(facts.get(name))))
                        .append("</tr>\n"));
        body.append("</table></div>\n");
        return this;
    }

    private static String words(@Nullable Object value) {
        return switch (value) {
            case null -> Column.NONE;
            case List<?> list when list.isEmpty() -> Column.NONE;
            case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(", "));
            default -> value.toString();
        };
    }

    /** A chart under its title. */
    public ReportPage chart(Chart chart) {
        heading(chart.title());
        body.append("<div class=\"chart\" id=\"chart-").append(charts++).append("\">\n");
        body.append(Drawing.of(chart).element(chart.title())).append("</div>\n");
        return this;
    }

    /** Returns the page. */
    public String html() {
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + element("title", title) + "<style>\n" + Drawing.resource("chart.css")
                + Drawing.resource("report.css") + "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
    }
}
