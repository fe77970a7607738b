package dev.larder.cli.top;

import dev.larder.cli.Figures;
import dev.larder.cli.output.TerminalSize;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The visible part of the screen of {@code larder top}, which keys move, and the order of the logs. */
final class TopView {

    private record Order(String name, Comparator<Figures> comparator) {}

    private static final List<Order> ORDERS = List.of(
            new Order("name", Comparator.comparing(log -> log.text("log"))),
            byNumber("size", "bytes"),
            byNumber("appends", "appends_per_second"),
            byNumber("lag", "tailer_lag_bytes"));

    private static final int FRAME_ROWS = 2; // the title and the foot

    private int order;
    private int offset;
    private int room = 1;
    private int lines;

    /** Returns an order with the greatest number first and unknown ones last. */
    private static Order byNumber(String name, String figure) {
        return new Order(name, Comparator.comparingDouble(log -> {
            double number = log.number(figure);
            return Double.isNaN(number) ? 0 : -number;
        }));
    }

    /** Returns the logs in the chosen order. */
    List<Figures> sorted(List<Figures> logs) {
        return logs.stream().sorted(ORDERS.get(order).comparator()).toList();
    }

    /** Performs the action of a key, except to quit. */
    void press(TopKey key) {
        switch (key) {
            case UP -> offset--;
            case DOWN -> offset++;
            case PAGE_UP -> offset -= room;
            case PAGE_DOWN -> offset += room;
            case SORT -> order = (order + 1) % ORDERS.size();
            case QUIT, NONE -> {}
        }
        offset = Math.clamp(offset, 0, Math.max(0, lines - room));
    }

    /**
     * Returns the output that replaces the screen of a terminal by these lines.
     *
     * @param screen the lines, the title first
     */
    String over(List<String> screen, Optional<TerminalSize> size) {
        room = Math.max(1, size.map(TerminalSize::rows).orElse(Integer.MAX_VALUE) - FRAME_ROWS - 1);
        List<String> body = screen.subList(1, screen.size());
        lines = body.size();
        press(TopKey.NONE); // the window, or the screen, may have become smaller
        List<String> shown = body.subList(offset, Math.min(lines, offset + room));
        return TopScreen.over(screen.getFirst(), shown, foot(shown.size()), size);
    }

    private String foot(int shown) {
        String part = shown == lines ? "" : "  lines " + (offset + 1) + " to " + (offset + shown) + " of " + lines;
        return TopKey.HELP + " (" + ORDERS.get(order).name() + ")" + part;
    }
}
