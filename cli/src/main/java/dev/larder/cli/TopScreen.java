package dev.larder.cli;

import dev.larder.lab.result.ByteSize;
import dev.larder.lab.result.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The screen of {@code larder top}: a table of logs, how much of each segment is in memory, a table of processes.
 *
 * <pre>
 * LOG   END       UNSYNCED  SYNC AGE  SIZE     CACHED  APPENDS/s  BYTES/s    SYNCS/s  SYNC   OPEN  LAG
 * one   3:81920   12 KiB    0.3 s     14 MiB   61 %    10000      9.77 MiB   1        4.1 ms 2     -
 *       0-3: 1.5+*       a sign a segment: . less than a tenth in memory, 1 to 9 tenths, + all
 * </pre>
 */
final class TopScreen {

    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final int SIGNS_MAX = 100;

    private final boolean clears;

    /** A screen that is written over the one before, or lines behind lines. */
    TopScreen(boolean clears) {
        this.clears = clears;
    }

    String of(Figures figures) {
        StringBuilder screen = new StringBuilder(clears ? CLEAR : "");
        List<Figures> logs = figures.rows("logs");
        screen.append(logs.size())
                .append(" logs in ")
                .append(figures.text("directory"))
                .append('\n');
        appendLogs(screen, logs);
        appendProcesses(screen, figures.rows("processes"));
        if (figures.get("failures") instanceof List<?> failures) {
            failures.forEach(
                    failure -> screen.append("cannot look: ").append(failure).append('\n'));
        }
        return screen.append(clears ? "" : "\n").toString();
    }

    private static void appendLogs(StringBuilder screen, List<Figures> logs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "LOG",
                "END",
                "UNSYNCED",
                "SYNC AGE",
                "SIZE",
                "CACHED",
                "APPENDS/s",
                "BYTES/s",
                "SYNCS/s",
                "SYNC",
                "OPEN",
                "LAG"));
        logs.forEach(log -> rows.add(row(log)));
        List<String> lines = aligned(rows);
        screen.append(lines.getFirst()).append('\n');
        for (int index = 0; index < logs.size(); index++) {
            screen.append(lines.get(index + 1)).append('\n');
            screen.append("  ")
                    .append(segments(logs.get(index).rows("segments")))
                    .append('\n');
        }
    }

    private static List<String> row(Figures log) {
        long end = log.whole("end_position");
        return List.of(
                log.text("log"),
                (end >>> 32) + ":" + (end & 0xffff_ffffL),
                ByteSize.format(log.whole("unsynced_bytes")),
                decimal(log.number("sync_age_seconds")) + " s",
                ByteSize.format(log.whole("bytes")),
                share(log.wholeOrNull("resident_bytes"), log.whole("bytes")),
                decimal(log.number("appends_per_second")),
                ByteSize.format(Math.round(log.number("bytes_per_second"))),
                decimal(log.number("syncs_per_second")),
                log.get("sync_ms") == null ? "-" : decimal(log.number("sync_ms")) + " ms",
                text(log.get("registered")),
                text(log.get("tailer_lag_messages")));
    }

    /** The newest segments, a sign each. */
    private static String segments(List<Figures> segments) {
        if (segments.isEmpty()) {
            return "no segments";
        }
        List<Figures> newest = segments.subList(Math.max(0, segments.size() - SIGNS_MAX), segments.size());
        StringBuilder signs = new StringBuilder();
        signs.append("segments ").append(newest.getFirst().whole("number"));
        signs.append(" to ").append(newest.getLast().whole("number")).append(": ");
        newest.forEach(segment -> signs.append(sign(segment)));
        return signs.toString();
    }

    private static char sign(Figures segment) {
        Long resident = segment.wholeOrNull("resident_bytes");
        if (resident == null) {
            return '?';
        }
        long tenths = 10 * resident / Math.max(1, segment.whole("bytes"));
        return tenths == 0 ? '.' : tenths == 10 ? '+' : (char) ('0' + tenths);
    }

    private static void appendProcesses(StringBuilder screen, List<Figures> processes) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PID", "COMMAND", "VIRT", "RES", "PAUSED", "SINCE", "LOGS"));
        for (Figures process : processes) {
            rows.add(List.of(
                    process.text("pid"),
                    process.text("command"),
                    ByteSize.format(process.whole("virtual_bytes")),
                    ByteSize.format(process.whole("resident_bytes")),
                    process.get("paused_ms") == null ? "-" : decimal(process.number("paused_ms")) + " ms",
                    process.get("paused_since_ms") == null ? "-" : decimal(process.number("paused_since_ms")) + " ms",
                    process.get("logs") instanceof List<?> logs ? logs.size() + " " + logs : "-"));
        }
        screen.append('\n');
        aligned(rows).forEach(line -> screen.append(line).append('\n'));
    }

    private static List<String> aligned(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        });
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            line.append(row.get(column))
                    .append(" ".repeat(widths[column] - row.get(column).length() + 2));
        }
        return line.toString().stripTrailing();
    }

    private static String share(@Nullable Long part, long all) {
        return part == null ? "-" : 100 * part / Math.max(1, all) + " %";
    }

    private static String decimal(double value) {
        return value >= 100 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
