package dev.larder.lab.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in columns: the first to the left, the others to the right. */
public final class TextTable {

    private final List<List<String>> rows = new ArrayList<>();

    /** An empty table. */
    public TextTable() {}

    public TextTable row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public List<List<String>> rows() {
        return rows;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(column == 0 ? "" : "  ").append(padded(row.get(column), column));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private String padded(String cell, int column) {
        String padding = " ".repeat(width(column) - cell.length());
        return column == 0 ? cell + padding : padding + cell;
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.size() > column)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }
}
