package dev.larder.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Elements of a drawing, in pixels; colours and widths come from the classes of {@code chart.css}. */
final class Svg {

    static final double LINE = 18;

    /** The width of a letter of 13 pixels, rather too large: no font can be measured here. */
    private static final double LETTER = 7.9;

    private final StringBuilder elements = new StringBuilder();

    static double width(String text) {
        return text.length() * LETTER;
    }

    static double widest(List<String> texts) {
        return texts.stream().mapToDouble(Svg::width).max().orElse(0);
    }

    /** Returns a text in lines of a limited width: cut between words, or within a word that is too long. */
    static List<String> lines(String text, double room) {
        int most = (int) Math.max(1, room / LETTER);
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        while (rest.length() > most) {
            int space = rest.lastIndexOf(' ', most);
            int end = space > 0 ? space : most;
            lines.add(rest.substring(0, end).strip());
            rest = rest.substring(end).strip();
        }
        lines.add(rest);
        return lines;
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Adds a path; without a title it has no tooltip. */
    Svg path(String classes, String attributes, String data, String title) {
        elements.append(format("<path class=\"%s\"%s d=\"%s\"", classes, attributes, data));
        elements.append(title.isEmpty() ? "/>\n" : format("><title>%s</title></path>\n", escaped(title)));
        return this;
    }

    Svg line(String classes, double x1, double y1, double x2, double y2) {
        return path(classes, "", format("M%.1f %.1fL%.1f %.1f", x1, y1, x2, y2), "");
    }

    /** Returns the data of a path around a box. */
    static String box(double x, double y, double width, double height) {
        return format("M%.1f %.1fh%.1fv%.1fh%.1fz", x, y, width, height, -width);
    }

    /** Adds a line of text whose middle is at a height. */
    Svg text(String classes, double x, double y, String text) {
        elements.append(format("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", classes, x, y))
                .append(escaped(text))
                .append("</text>\n");
        return this;
    }

    /** Adds lines of text around a height. */
    Svg textAround(String classes, double x, double y, List<String> lines) {
        for (int line = 0; line < lines.size(); line++) {
            text(classes, x, y + (line - (lines.size() - 1) / 2.0) * LINE, lines.get(line));
        }
        return this;
    }

    /** Adds elements that were drawn around another origin. */
    Svg group(String attributes, String content) {
        elements.append("<g").append(attributes).append(">\n").append(content).append("</g>\n");
        return this;
    }

    static String at(double x, double y) {
        return format(" transform=\"translate(%.1f %.1f)\"", x, y);
    }

    @SuppressWarnings("AnnotateFormatMethod") // its library is not needed otherwise
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    @Override
    public String toString() {
        return elements.toString();
    }
}
