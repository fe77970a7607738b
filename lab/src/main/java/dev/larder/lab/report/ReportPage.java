package dev.larder.lab.report;

import dev.larder.cli.Figures;

/**
 * One page that shows a result: text, tables and charts, light and dark, with everything it needs inside it.
 *
 * <p>It opens from a disk without a network, and runs no script.
 */
public final class ReportPage {

    /** What is not in the page itself is refused: nothing is ever fetched. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    private final StringBuilder body = new StringBuilder();
    private int charts;
    private final String title;

    public ReportPage(String title, String lead) {
        this.title = title;
        body.append("<h1>")
                .append(escaped(title))
                .append("</h1>\n<p class=\"lead\">")
                .append(escaped(lead))
                .append("</p>\n");
    }

    public ReportPage badge(boolean good, String text) {
        body.append("<span class=\"badge ")
                .append(good ? "good" : "bad")
                .append("\">")
                .append(escaped(text))
                .append("</span>\n");
        return this;
    }

    public ReportPage heading(String text) {
        body.append("<h2>").append(escaped(text)).append("</h2>\n");
        return this;
    }

    public ReportPage paragraph(String text) {
        body.append("<p>").append(escaped(text)).append("</p>\n");
        return this;
    }

    public ReportPage code(String text) {
        body.append("<p><code>").append(escaped(text)).append("</code></p>\n");
        return this;
    }

    /** A table whose first row is its head. */
    public ReportPage table(TextTable table) {
        body.append("<div class=\"scroll\"><table>\n");
        for (int row = 0; row < table.rows().size(); row++) {
            String cell = row == 0 ? "th" : "td";
            body.append("<tr>");
            table.rows()
                    .get(row)
                    .forEach(text -> body.append('<')
                            .append(cell)
                            .append('>')
                            .append(escaped(text))
                            .append("</")
                            .append(cell)
                            .append('>'));
            body.append("</tr>\n");
        }
        body.append("</table></div>\n");
        return this;
    }

    /** A table that is folded away until it is asked for. */
    public ReportPage foldedTable(String summary, TextTable table) {
        body.append("<details><summary>").append(escaped(summary)).append("</summary>\n");
        table(table);
        body.append("</details>\n");
        return this;
    }

    /** Names and values, one pair a row. */
    public ReportPage facts(Figures facts) {
        body.append("<div class=\"scroll\"><table>\n");
        for (String name : facts.names()) {
            body.append("<tr><td>")
                    .append(escaped(name))
                    .append("</td><td class=\"wrap\">")
                    .append(escaped(String.valueOf(facts.get(name))))
                    .append("</td></tr>\n");
        }
        body.append("</table></div>\n");
        return this;
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
                + "<title>" + escaped(title) + "</title>\n<style>\n" + Drawing.resource("chart.css")
                + Drawing.resource("report.css") + "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
    }

    private static String escaped(String text) {
        return Svg.escaped(text);
    }
}
