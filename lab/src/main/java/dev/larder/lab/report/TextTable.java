package dev.larder.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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

    /** Returns a table without the columns that say nothing else than this below their heading. */
    public TextTable withoutColumnsOf(String nothing) {
        int[] kept = IntStream.range(0, rows.stream().mapToInt(List::size).max().orElse(0))
                .filter(column -> rows.size() < 2 || !holdsOnly(column, nothing))
                .toArray();
        TextTable table = new TextTable();
        for (List<String> row : rows) {
            table.row(IntStream.of(kept)
                    .filter(column -> column < row.size())
                    .mapToObj(row::get)
                    .toArray(String[]::new));
        }
        return table;
    }

    private boolean holdsOnly(int column, String nothing) {
        return rows.stream()
                .skip(1)
                .allMatch(row -> row.size() > column && row.get(column).equals(nothing));
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
