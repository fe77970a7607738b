package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of a result as comma-separated values. */
final class BuffersCsv {

    private BuffersCsv() {}

    /** The table of the experiment of 2011: what was skipped has no row. */
    static String of2011(List<Figures> rows) {
        StringBuilder text = new StringBuilder(
                "block_size,test_type,perctile95_buffer_create_and_work_time_millis,perctile95_mem_bytes\n");
        for (Figures row : rows) {
            if (row.whole("rounds") > 0) {
                text.append(String.format(
                        Locale.ROOT,
                        "%d,%s,%.3f,%.0f\n",
                        row.whole("block_bytes"),
                        row.text("kind"),
                        row.number("create_write_ms_p95"),
                        row.number("heap_bytes_p95")));
            }
        }
        return text.toString();
    }

    /** Every figure of every row. */
    static String ofAll(List<Figures> rows) {
        if (rows.isEmpty()) {
            return "";
        }
        List<String> names = List.copyOf(rows.getFirst().names());
        List<String> lines = new ArrayList<>(List.of(String.join(",", names)));
        rows.forEach(
                row -> lines.add(names.stream().map(name -> cell(row.get(name))).collect(Collectors.joining(","))));
        return String.join("\n", lines) + "\n";
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Double number ->
                BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
            default -> value.toString();
        };
    }

    private static String cell(@Nullable Object value) {
        String text = text(value);
        return text.contains(",") || text.contains("\"") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
