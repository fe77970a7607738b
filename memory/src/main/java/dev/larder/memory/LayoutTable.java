package dev.larder.memory;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;

/**
 * Renders the layout of a struct as a Markdown table: offset, size and name of each field.
 *
 * <p>The layout is the source. The pages in {@code docs/formats} contain the table, and a test compares them.
 *
 * <pre>{@code
 * | offset | size | field |
 * | ---: | ---: | --- |
 * | 0 | 8 | magic |
 * | 8 | 4 | lock.owner |
 * | 12 | 4 | - |
 * }</pre>
 */
public final class LayoutTable {

    private final StringBuilder rows = new StringBuilder("| offset | size | field |\n| ---: | ---: | --- |\n");

    private LayoutTable() {}

    /** Returns the table. A nested struct has a row for each of its fields; a gap is named {@code -}. */
    public static String markdown(StructLayout layout) {
        LayoutTable table = new LayoutTable();
        table.addFields(layout, "", 0);
        return table.rows.toString();
    }

    private void addFields(GroupLayout layout, String prefix, long start) {
        long offset = start;
        for (MemoryLayout field : layout.memberLayouts()) {
            addField(field, prefix, offset);
            offset += field.byteSize();
        }
    }

    private void addField(MemoryLayout field, String prefix, long offset) {
        String name = prefix + field.name().orElse("-");
        switch (field) {
            case StructLayout inner -> addFields(inner, name + ".", offset);
            case PaddingLayout gap -> addRow(offset, gap.byteSize(), "-");
            default -> addRow(offset, field.byteSize(), name);
        }
    }

    private void addRow(long offset, long size, String name) {
        rows.append("| ")
                .append(offset)
                .append(" | ")
                .append(size)
                .append(" | ")
                .append(name)
                .append(" |\n");
    }
}
