package dev.larder.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of cells under headings, in columns of the needed width. A heading that begins with {@code >} aligns its column right.
 */
public final class Columns {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] right;

    /** Creates columns under headings, without rows. */
    public Columns(String... headings) {
        right = new boolean[headings.length];
        List<String> names = new ArrayList<>();
        for (int column = 0; column < headings.length; column++) {
            right[column] = headings[column].startsWith(">");
            names.add(right[column] ? headings[column].substring(1) : headings[column]);
        }
        rows.add(names);
    }

    /** Adds a row; it must have a cell for each heading. */
    public Columns row(String... cells) {
        assert cells.length == right.length : cells.length + " cells";
        rows.add(List.of(cells));
        return this;
    }

    /** Returns the lines, the headings first. */
    public List<String> lines() {
        return rows.stream().map(this::line).toList();
    }

    /**
     * Returns these columns, without some of them if the lines are wider than {@code width} characters.
     *
     * @param dropped the headings of columns that may be dropped, in this order
     */
    public Columns within(int width, List<String> dropped) {
        Columns fitting = this;
        for (String heading : dropped) {
            if (fitting.lines().stream().allMatch(line -> line.length() <= width)) {
                break;
            }
            fitting = fitting.without(heading);
        }
        return fitting;
    }

    private Columns without(String heading) {
        int column = rows.getFirst().indexOf(heading);
        String[] headings = new String[right.length - 1];
        for (int from = 0, to = 0; from < right.length; from++) {
            if (from != column) {
                headings[to++] = (right[from] ? ">" : "") + rows.getFirst().get(from);
            }
        }
        Columns rest = new Columns(headings);
        for (List<String> row : rows.subList(1, rows.size())) {
            List<String> cells = new ArrayList<>(row);
            cells.remove(column);
            rest.row(cells.toArray(String[]::new));
        }
        return rest;
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            line.append(column == 0 ? "" : GAP).append(right[column] ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
