package dev.larder.lab.report;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One page that shows a result: text, tables and charts, light and dark, with everything it needs inside it.
 *
 * <p>It opens from a disk without a network. The charts are drawn by uPlot (MIT licence), which the page carries.
 */
public final class ReportPage {

    /** What is not in the page itself is refused: nothing is ever fetched. */
    private static final String POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
            + " img-src data:; base-uri 'none'; form-action 'none'";

    private final StringBuilder body = new StringBuilder();
    private final List<Figures> charts = new ArrayList<>();
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
        body.append("<div class=\"chart\" id=\"chart-").append(charts.size()).append("\"></div>\n");
        charts.add(ChartData.of(chart));
        return this;
    }

    /** Returns the page. */
    public String html() {
        String data = charts.stream().map(Figures::toJson).toList().toString().replace("<", "\\u003c");
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<title>" + escaped(title) + "</title>\n<style>\n" + resource("uplot/uPlot.min.css")
                + resource("report.css")
                + "</style>\n</head>\n" + bodyTag() + "<p id=\"problems\" hidden></p>\n"
                + "<script>\n" + resource("problems.js") + "</script>\n" + body
                + "<script id=\"charts\" type=\"application/json\">" + data + "</script>\n"
                + "<script>/*\n" + resource("uplot/LICENSE") + "*/\n" + resource("uplot/uPlot.iife.min.js")
                + "</script>\n"
                + "<script>\n" + resource("report.js") + "</script>\n</body>\n</html>\n";
    }

    private static String bodyTag() {
        return "<body data-light=\"" + String.join(" ", Palette.LIGHT)
                + "\" data-dark=\"" + String.join(" ", Palette.DARK)
                + "\" data-light-lanes=\"" + String.join(" ", Palette.LANES)
                + "\" data-dark-lanes=\"" + String.join(" ", Palette.DARK_LANES) + "\">\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String resource(String name) {
        try (InputStream stream = ReportPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new LabException("the resource " + name + " is missing from this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new LabException("cannot read the resource " + name + ": " + e.getMessage(), e);
        }
    }
}
