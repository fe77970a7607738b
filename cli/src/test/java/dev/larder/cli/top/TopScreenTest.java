package dev.larder.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.cli.output.TerminalSize;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The screen of {@code larder top}, and how it is drawn on a terminal. */
final class TopScreenTest {

    private static Figures log(String name, long end, double appends) {
        return new Figures()
                .put("log", name)
                .put("end_position", end)
                .put("unsynced_bytes", 100)
                .put("sync_age_seconds", 0.25)
                .put("bytes", 4L << 20)
                .put("resident_bytes", 1L << 20)
                .put("appends_per_second", appends)
                .put("bytes_per_second", appends * 100)
                .put("syncs_per_second", 1)
                .put("sync_ms", null)
                .put("registered", 2)
                .put("tailer_lag_bytes", null)
                .put(
                        "segments",
                        List.of(new Figures()
                                .put("number", 0)
                                .put("bytes", 4L << 20)
                                .put("resident_bytes", 1L << 20)));
    }

    private static Figures look(List<Figures> logs) {
        return new Figures()
                .put("directory", "folder")
                .put("logs", logs)
                .put("processes", List.of())
                .put("failures", List.of("folder/bad: damaged"));
    }

    @Test
    void standsInColumnsHoweverWideANumberIs() {
        List<String> lines = TopScreen.lines(
                look(List.of(log("one", 8192, 1), log("another", (3_000_000L << 32) + 8, 12_345_678_901.0))));
        assertThat(lines.get(0)).isEqualTo("2 logs in folder");
        int end = lines.get(1).indexOf("END") + "END".length();
        assertThat(lines.get(2).substring(0, end)).endsWith("       0:8192");
        assertThat(lines.get(4).substring(0, end)).endsWith("3000000:8");
        int appends = lines.get(1).indexOf("APPENDS/s") + "APPENDS/s".length();
        assertThat(lines.get(2).substring(0, appends)).endsWith("  1.0");
        assertThat(lines.get(4).substring(0, appends)).endsWith("12345678901");
        assertThat(lines.get(3)).isEqualTo("  segments 0 to 0: 2");
        assertThat(lines).contains("no visible process has them open", "cannot measure: folder/bad: damaged");
    }

    /** Others choose the names of files, and a terminal obeys the control characters in them. */
    @Test
    void writesOutWhatATerminalWouldObey() {
        Figures look = look(List.of()).put("failures", List.of("a\u001b[2J: damaged"));
        assertThat(TopScreen.lines(look)).contains("cannot measure: a\\u001b[2J: damaged");
    }

    @Test
    void saysWhereALogLiesOnSeveralNodes() {
        Figures log = log("one", 8192, 1).put("node_resident_bytes", Map.of(0, 1L << 20, 1, 3L << 20));
        assertThat(TopScreen.lines(look(List.of(log))).get(3))
                .startsWith("  segments 0 to 0: 2   node ")
                .contains("node 0 1 MiB", "node 1 3 MiB");
    }

    @Test
    void saysThatAFolderHasNone() {
        assertThat(TopScreen.lines(new Figures().put("directory", "folder").put("logs", List.of())))
                .containsExactly("no logs in folder, or below it");
    }

    /** Many terminals have eighty columns: some figures are left out, and every line fits. */
    @Test
    void fitsEightyColumns() {
        List<Figures> logs = List.of(
                log("orders", (3_000_000L << 32) + 81_920, 12_345.0)
                        .put("sync_ms", 4.1)
                        .put("tailer_lag_bytes", 123_456L)
                        .put("tailer_lag_messages", 1_000L)
                        .put("segments", segments(200)),
                log("events/by-region", 8192, 1));
        List<String> lines = TopScreen.lines(look(logs), logs, 80);
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(lines.get(1)).contains("LOG", "SIZE", "APPENDS/s", "LAG").doesNotContain("SYNC AGE");
        assertThat(TopScreen.lines(look(logs), logs, 200).get(1)).contains("SYNC AGE", "SYNCS/s", "END");
    }

    private static List<Figures> segments(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Figures()
                        .put("number", number)
                        .put("bytes", 4L << 20)
                        .put("resident_bytes", 1L << 20))
                .toList();
    }

    /** A screen that was cleared first would be dark for a moment, each time. */
    @Test
    void goesOverTheScreenBeforeLineByLine() {
        String screen = TopScreen.over("one", List.of("two"), "three", Optional.empty());
        assertThat(screen).isEqualTo("\u001b[Hone\u001b[K\ntwo\u001b[K\nthree\u001b[K\n\u001b[J");
        assertThat(TopScreen.over("a title", List.of(), "foot", TerminalSize.parse("4 5")))
                .isEqualTo("\u001b[Ha tit\u001b[K\nfoot\u001b[K\n\u001b[J");
    }

    @Test
    void knowsTheSizeOfATerminal() {
        assertThat(TerminalSize.parse("4 5\n")).contains(new TerminalSize(4, 5));
        assertThat(TerminalSize.parse("0 0")).isEmpty();
        assertThat(TerminalSize.parse("stty: standard input: not a tty")).isEmpty();
    }
}
