package dev.larder.cli.top;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Columns;
import dev.larder.cli.Figures;
import dev.larder.cli.output.Printable;
import dev.larder.cli.output.TerminalSize;
import dev.larder.log.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The screen of {@code larder top}: a table of logs, how much of each segment is in memory, a table of processes.
 *
 * <pre>
 * LOG        END  UNSYNCED  SYNC AGE    SIZE  CACHED  APPENDS/s   BYTES/s  SYNCS/s    SYNC  OPEN        LAG
 * one    3:81920    12 KiB     0.3 s  14 MiB    61 %      10000  9.77 MiB        1  4.1 ms     2  40, 960 B
 *   segments 0 to 3: 15+*       one sign per segment: . less than a tenth in memory, 1 to 9 tenths, + all
 *
 * MAP  ENTRIES   INDEX    LIVE  CHECKPOINT   SINCE
 * one   100000   4 MiB  12 MiB      3:8192  12 KiB
 * </pre>
 *
 * <p>On a terminal each screen overwrites the one before, line by line, so that nothing flickers. {@link TopView} picks the
 * lines for which the window has room.
 */
final class TopScreen {

    private static final String HOME = "\u001b[H";
    private static final String TO_END_OF_LINE = "\u001b[K";
    private static final String TO_END_OF_SCREEN = "\u001b[J";
    private static final int SIGNS_MAX = 100;
    private static final int SIGNS_BEFORE = 30;

    /** The columns of logs that are dropped on a narrow terminal, in this order. */
    private static final List<String> DROPPED =
            List.of("SYNC AGE", "SYNC", "SYNCS/s", "END", "UNSYNCED", "LAG", "CACHED", "OPEN");

    private TopScreen() {}

    /** Returns the screen as lines of any width. */
    static List<String> lines(Figures figures) {
        return lines(figures, figures.rows("logs"), Integer.MAX_VALUE);
    }

    /**
     * Returns the screen as lines.
     *
     * @param logs the logs of the figures, in the order of the screen
     * @param width how many characters a line has room for; on a narrow screen, logs get fewer columns
     */
    static List<String> lines(Figures figures, List<Figures> logs, int width) {
        List<String> lines = new ArrayList<>();
        String folder = Printable.text(figures.text("directory"));
        lines.add(
                switch (logs.size()) {
                    case 0 -> "no logs in " + folder + ", or below it";
                    case 1 -> "1 log in " + folder;
                    default -> logs.size() + " logs in " + folder;
                });
        if (!logs.isEmpty()) {
            addLogs(lines, logs, width);
            addMaps(lines, logs);
            addProcesses(lines, figures.rows("processes"));
        }
        if (figures.get("failures") instanceof List<?> failures) {
            failures.forEach(failure -> lines.add("cannot measure: " + Printable.text(String.valueOf(failure))));
        }
        return lines;
    }

    /** Returns the output that replaces the screen of a terminal by a title, lines and a foot. */
    static String over(String title, List<String> lines, String foot, Optional<TerminalSize> size) {
        int columns = size.map(TerminalSize::columns).orElse(Integer.MAX_VALUE);
        StringBuilder screen = new StringBuilder(HOME);
        Stream.of(Stream.of(title), lines.stream(), Stream.of(foot))
                .flatMap(part -> part)
                .forEach(line -> screen.append(line, 0, Math.min(line.length(), columns))
                        .append(TO_END_OF_LINE)
                        .append('\n'));
        return screen.append(TO_END_OF_SCREEN).toString();
    }

    private static void addLogs(List<String> lines, List<Figures> logs, int width) {
        Columns columns = new Columns(
                "LOG",
                ">END",
                ">UNSYNCED",
                ">SYNC AGE",
                ">SIZE",
                ">CACHED",
                ">APPENDS/s",
                ">BYTES/s",
                ">SYNCS/s",
                ">SYNC",
                ">OPEN",
                ">LAG");
        logs.forEach(log -> columns.row(row(log)));
        List<String> table = columns.within(width, DROPPED).lines();
        lines.add(table.getFirst());
        for (int index = 0; index < logs.size(); index++) {
            lines.add(table.get(index + 1));
            lines.add("  " + segments(logs.get(index).rows("segments"), width) + nodes(logs.get(index)));
        }
    }

    /** Adds a table of the maps among the logs, as of their last checkpoints. */
    private static void addMaps(List<String> lines, List<Figures> logs) {
        List<Figures> maps =
                logs.stream().filter(log -> log.get("map") instanceof Figures).toList();
        if (maps.isEmpty()) {
            return;
        }
        Columns columns = new Columns("MAP", ">ENTRIES", ">INDEX", ">LIVE", ">CHECKPOINT", ">SINCE");
        for (Figures log : maps) {
            Figures map = log.part("map");
            Long index = map.wholeOrNull("index_bytes");
            columns.row(
                    Printable.text(log.text("log")),
                    text(map.get("entries")),
                    bytes(index),
                    bytes(map.wholeOrNull("live_bytes")),
                    index == null ? "none" : Position.toString(map.whole("checkpoint_position")),
                    ByteSize.format(map.whole("since_checkpoint_bytes")));
        }
        lines.add("");
        lines.addAll(columns.lines());
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? "-" : ByteSize.format(bytes);
    }

    private static String[] row(Figures log) {
        return new String[] {
            Printable.text(log.text("log")),
            Position.toString(log.whole("end_position")),
            ByteSize.format(log.whole("unsynced_bytes")),
            decimal(log.number("sync_age_seconds")) + " s",
            ByteSize.format(log.whole("bytes")),
            share(log.wholeOrNull("resident_bytes"), log.whole("bytes")),
            decimal(log.number("appends_per_second")),
            ByteSize.format(Math.round(log.number("bytes_per_second"))),
            decimal(log.number("syncs_per_second")),
            log.get("sync_ms") == null ? "-" : decimal(log.number("sync_ms")) + " ms",
            text(log.get("registered")),
            lag(log)
        };
    }

    /** Returns the lag of the slowest named tailer. */
    private static String lag(Figures log) {
        Long bytes = log.wholeOrNull("tailer_lag_bytes");
        return bytes == null ? "-" : log.text("tailer_lag_messages") + ", " + ByteSize.format(bytes);
    }

    /** Returns the newest segments, one sign for each. */
    private static String segments(List<Figures> segments, int width) {
        if (segments.isEmpty()) {
            return "no segments";
        }
        List<Figures> newest = segments.subList(
                Math.max(0, segments.size() - Math.clamp(width - SIGNS_BEFORE, 1, SIGNS_MAX)), segments.size());
        StringBuilder signs = new StringBuilder();
        signs.append("segments ").append(newest.getFirst().whole("number"));
        signs.append(" to ").append(newest.getLast().whole("number")).append(": ");
        newest.forEach(segment -> signs.append(sign(segment)));
        return signs.toString();
    }

    /** Returns the memory nodes on which a log lies, on a machine with several nodes. */
    private static String nodes(Figures log) {
        Figures nodes = log.part("node_resident_bytes");
        return nodes.names().isEmpty()
                ? ""
                : nodes.names().stream()
                        .map(node -> "node " + node + " " + ByteSize.format(nodes.whole(node)))
                        .collect(Collectors.joining(", ", "   ", ""));
    }

    private static char sign(Figures segment) {
        Long resident = segment.wholeOrNull("resident_bytes");
        if (resident == null) {
            return '?';
        }
        long tenths = 10 * resident / Math.max(1, segment.whole("bytes"));
        return tenths == 0 ? '.' : tenths == 10 ? '+' : (char) ('0' + tenths);
    }

    private static void addProcesses(List<String> lines, List<Figures> processes) {
        lines.add("");
        if (processes.isEmpty()) {
            lines.add("no visible process has them open");
            return;
        }
        Columns columns = new Columns(">PID", "COMMAND", ">VIRT", ">RES", ">PAUSED", ">SINCE", "LOGS");
        for (Figures process : processes) {
            columns.row(
                    process.text("pid"),
                    Printable.text(process.text("command")),
                    ByteSize.format(process.whole("virtual_bytes")),
                    ByteSize.format(process.whole("resident_bytes")),
                    millis(process, "paused_ms"),
                    millis(process, "paused_since_ms"),
                    logs(process));
        }
        lines.addAll(columns.lines());
    }

    private static String millis(Figures process, String name) {
        return process.get(name) == null ? "-" : decimal(process.number(name)) + " ms";
    }

    private static String logs(Figures process) {
        if (process.get("logs") instanceof List<?> logs) {
            return logs.stream().map(log -> Printable.text(String.valueOf(log))).collect(Collectors.joining(" "));
        }
        return "-";
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
