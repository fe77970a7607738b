package dev.larder.lab.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;

/** Text on an image: how much room it takes, and where it is put. */
final class ImageText {

    static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 17);
    static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 21);
    static final Color INK = new Color(0x1B, 0x1F, 0x24);
    static final Color SOFT = new Color(0x4A, 0x52, 0x5C);
    static final int LINE = 23;
    static final int TITLE_LINE = 29;

    private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);

    private ImageText() {}

    static double width(String text, Font font) {
        return font.getStringBounds(text, CONTEXT).getWidth();
    }

    static double widest(List<String> texts) {
        return texts.stream().mapToDouble(text -> width(text, FONT)).max().orElse(0);
    }

    /** Returns a text in lines that are no wider than a room: cut between words, or within a word that is too long. */
    static List<String> lines(String text, Font font, double room) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        while (width(rest, font) > room && rest.length() > 1) {
            int end = lineEnd(rest, font, room);
            lines.add(rest.substring(0, end).strip());
            rest = rest.substring(end).strip();
        }
        lines.add(rest);
        return lines;
    }

    private static int lineEnd(String text, Font font, double room) {
        int fits = 1;
        while (width(text.substring(0, fits + 1), font) <= room) {
            fits++;
        }
        int space = text.lastIndexOf(' ', fits);
        return space > 0 ? space : fits;
    }

    /**
     * Draws a line of text.
     *
     * @param share how much of its width stands left of {@code x}: 0, 0.5 or 1
     * @param middle the height of its middle
     */
    static void draw(Graphics2D paper, String text, double x, double middle, double share) {
        double left = x - share * width(text, paper.getFont());
        double capital = paper.getFont().getLineMetrics("X", CONTEXT).getAscent() * 0.76;
        paper.drawString(text, (float) left, (float) (middle + capital / 2));
    }

    /** Draws lines of text around a middle. */
    static void drawAround(Graphics2D paper, List<String> lines, double x, double middle, double share) {
        double first = middle - (lines.size() - 1) * LINE / 2.0;
        for (int line = 0; line < lines.size(); line++) {
            draw(paper, lines.get(line), x, first + line * LINE, share);
        }
    }
}
