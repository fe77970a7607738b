package dev.larder.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.cli.output.TerminalSize;
import dev.larder.log.Position;
import dev.larder.queue.LarderQueue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The effect of keys on the screen of {@code larder top}. */
class TopViewTest {

    private static final int NONE_CAME = -2;

    private final Optional<TerminalSize> sevenRows = TerminalSize.parse("7 80");

    /** Returns keys as a terminal sends them. No key comes after them. */
    private static TopKey.Source keys(String characters) {
        Queue<Integer> keys = new ArrayDeque<>(characters.chars().boxed().toList());
        return timeout -> keys.isEmpty() ? NONE_CAME : keys.remove();
    }

    private static List<String> screen(int lines) {
        return Stream.concat(Stream.of("title"), IntStream.range(0, lines).mapToObj(i -> "line " + i))
                .toList();
    }

    @Test
    void knowsTheKeys() throws IOException {
        TopKey.Source keys = keys("qjk bs\u001b[A\u001b[B\u001bOB\u001b[5~\u001b[6~\u001bxz\u0003");
        assertThat(Stream.generate(() -> next(keys)).limit(14))
                .containsExactly(
                        TopKey.QUIT,
                        TopKey.DOWN,
                        TopKey.UP,
                        TopKey.PAGE_DOWN,
                        TopKey.PAGE_UP,
                        TopKey.SORT,
                        TopKey.UP,
                        TopKey.DOWN,
                        TopKey.DOWN,
                        TopKey.PAGE_UP,
                        TopKey.PAGE_DOWN,
                        TopKey.NONE, // escape and another key
                        TopKey.NONE,
                        TopKey.QUIT);
        assertThat(TopKey.next(keys, 1)).isEqualTo(TopKey.NONE);
        assertThat(TopKey.next(timeout -> -1, 1)).isEqualTo(TopKey.QUIT);
    }

    private static TopKey next(TopKey.Source keys) {
        try {
            return TopKey.next(keys, 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void scrollsBetweenTheTitleAndTheFoot() {
        TopView view = new TopView();
        assertThat(view.over(screen(10), sevenRows))
                .contains("title", "line 0", "line 3", "q quit", "lines 1 to 4 of 10")
                .doesNotContain("line 4");
        view.press(TopKey.DOWN);
        assertThat(view.over(screen(10), sevenRows))
                .contains("title", "line 1", "line 4")
                .doesNotContain("line 0");
        view.press(TopKey.PAGE_DOWN);
        view.press(TopKey.PAGE_DOWN);
        assertThat(view.over(screen(10), sevenRows)).contains("lines 7 to 10 of 10");
        view.press(TopKey.UP);
        assertThat(view.over(screen(10), sevenRows)).contains("lines 6 to 9 of 10");
        assertThat(view.over(screen(2), sevenRows)).contains("line 0", "line 1").doesNotContain(" of ");
    }

    @Test
    void sortsTheLogs() {
        List<Figures> logs = List.of(
                new Figures().put("log", "a").put("bytes", 1).put("appends_per_second", 5.0),
                new Figures().put("log", "c").put("bytes", 9).put("appends_per_second", 7.0),
                new Figures().put("log", "b").put("bytes", 5).put("tailer_lag_bytes", 3));
        TopView view = new TopView();
        assertThat(names(view, logs)).containsExactly("a", "b", "c");
        view.press(TopKey.SORT);
        assertThat(names(view, logs)).containsExactly("c", "b", "a");
        assertThat(view.over(screen(1), Optional.empty())).contains("(size)");
        view.press(TopKey.SORT);
        assertThat(names(view, logs)).containsExactly("c", "a", "b");
        view.press(TopKey.SORT);
        assertThat(names(view, logs)).startsWith("b");
        view.press(TopKey.SORT);
        assertThat(names(view, logs)).containsExactly("a", "b", "c");
    }

    private static List<String> names(TopView view, List<Figures> logs) {
        return view.sorted(logs).stream().map(log -> log.text("log")).toList();
    }

    @Test
    void endsWithQ(@TempDir Path directory) throws IOException {
        TopCommand top = CommandLine.populateCommand(new TopCommand(), directory.toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PrintStream screen = new PrintStream(out, false, StandardCharsets.UTF_8)) {
            top.watch(keys("s q"), screen);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("no logs in ", "(name)", "(size)");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // no file can be removed that is open
    void showsTheLogThatTookThePlaceOfAnother(@TempDir Path directory) throws IOException {
        Path log = directory.resolve("orders");
        String removed = fill(log, 5000);
        TopCommand top =
                CommandLine.populateCommand(new TopCommand(), directory.toString(), "--interval", "PT0.000001S");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> ends = new ArrayList<>();
        TopKey.Source keys = timeout -> {
            if (ends.isEmpty()) {
                remove(log);
                ends.add(fill(log, 300));
                return NONE_CAME;
            }
            return 'q';
        };
        try (PrintStream screen = new PrintStream(out, false, StandardCharsets.UTF_8)) {
            top.watch(keys, screen);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(removed)
                .containsSubsequence(removed, ends.getFirst());
    }

    /** Creates a queue with a message; returns its end as text. */
    private static String fill(Path directory, int bytes) {
        try (LarderQueue queue = LarderQueue.open(directory)) {
            queue.appender().append(new byte[bytes]);
            return Position.toString(queue.info().endPosition());
        }
    }

    private static void remove(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
