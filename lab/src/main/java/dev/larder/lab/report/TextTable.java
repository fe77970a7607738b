package dev.larder.lab.report;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;

/** Rows of cells in columns: the first left-aligned, the others right-aligned. */
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

    /** Returns a table over rows of figures, without columns of only dashes. */
    public static TextTable of(List<Figures> rows, List<Column> columns) {
        TextTable table = new TextTable();
        List<Column> shown = columns.stream()
                .filter(column ->
                        rows.stream().map(column.text()).anyMatch(text -> !text.isEmpty() && !text.equals(Column.NONE)))
                .toList();
        table.row(shown.stream().map(Column::heading).toArray(String[]::new));
        rows.forEach(row ->
                table.row(shown.stream().map(column -> column.text().apply(row)).toArray(String[]::new)));
        return table;
    }

    /** As above, with the columns one by one. */
    public static TextTable of(List<Figures> rows, Column... columns) {
        return of(rows, List.of(columns));
    }

    /** As above, with columns that a text declares, see {@link Column#all}. */
    public static TextTable of(List<Figures> rows, String declaration, Column... own) {
        return of(rows, Column.all(declaration, own));
    }

    /** Returns whether it has only its head. */
    public boolean isEmpty() {
        return rows.size() < 2;
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
