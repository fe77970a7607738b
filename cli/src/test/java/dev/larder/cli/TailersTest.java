package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.queue.QueueArguments;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code larder queue tailers}. */
class TailersTest extends Shell {

    @BeforeEach
    void fillAQueue() {
        try (LarderQueue queue = LarderQueue.open(directory);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer("orders")) {
            for (int i = 0; i < 10; i++) {
                appender.append("message " + i);
            }
            tailer.drain((segment, offset, length) -> {}, 4);
            queue.tailer("bills").close();
        }
    }

    private int larder(String... arguments) {
        return larder(new byte[0], arguments);
    }

    private String queue() {
        return directory.toString();
    }

    private List<Figures> list() {
        assertThat(larder("queue", "tailers", "list", queue(), "--json")).isZero();
        return Figures.parse(out()).rows("tailers");
    }

    @Test
    void listsThem() {
        List<Figures> tailers = list();
        assertThat(tailers).extracting(tailer -> tailer.text("name")).containsExactly("bills", "orders");
        assertThat(tailers.get(0).whole("lag_messages")).isEqualTo(10);
        assertThat(tailers.get(1).whole("lag_messages")).isEqualTo(6);
        assertThat(tailers.get(1).whole("sequence")).isEqualTo(4);
        assertThat(tailers.get(1).whole("lag_bytes")).isEqualTo(6 * 24);
        assertThat(larder("queue", "tailers", "list", queue(), "--read-only")).isZero();
        List<String> lines = out().lines().toList();
        assertThat(lines.get(0)).matches("NAME +POSITION +SEQUENCE +BEHIND +BYTES +PROCESS");
        assertThat(lines.get(1)).matches("bills +0:8192 +0 +10 +240 B +none since 20.*");
        assertThat(lines.get(2)).matches("orders +0:8288 +4 +6 +144 B +none since 20.*");
        assertThat(lines.get(1).indexOf("none")).isEqualTo(lines.get(2).indexOf("none"));
    }

    @Test
    void listsThemWhereItMayNotWrite() throws IOException {
        try (ReadOnlyMount _ = ReadOnlyMount.of(queue())) {
            assertThat(list()).extracting(tailer -> tailer.text("name")).containsExactly("bills", "orders");
        }
    }

    @Test
    void saysThatThereAreNone() {
        for (String name : List.of("bills", "orders")) {
            larder("queue", "tailers", "drop", queue(), name);
        }
        assertThat(larder("queue", "tailers", "list", queue())).isZero();
        assertThat(out()).isEqualTo("no named tailers\n");
    }

    /** Programs choose the names, and a terminal obeys the control characters in them. */
    @Test
    void writesOutWhatATerminalWouldObey() {
        try (LarderQueue queue = LarderQueue.open(directory)) {
            queue.tailer("a\u001b[2J").close();
        }
        assertThat(larder("queue", "tailers", "list", queue())).isZero();
        assertThat(out()).contains("a\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void movesOne() {
        for (String to : List.of("end", "start", "#7", "2000-01-01T00:00:00Z")) {
            assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", to))
                    .as(to)
                    .isZero();
            assertThat(list().get(1).whole("sequence"))
                    .isEqualTo(
                            switch (to) {
                                case "end" -> 10;
                                case "#7" -> 7;
                                default -> 0;
                            });
        }
        long position = list().get(0).whole("position");
        assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", "0:8216"))
                .isZero();
        assertThat(list().get(1).whole("sequence")).isOne();
        assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", Long.toString(position)))
                .isZero();
        assertThat(out()).isEqualTo("orders stands at position " + position + "\n");
    }

    @Test
    void answersInJson() {
        assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", "#0", "--json"))
                .isZero();
        assertThat(Figures.parse(out()).text("name")).isEqualTo("orders");
        assertThat(Figures.parse(out()).whole("position")).isEqualTo(8192);
        assertThat(larder("queue", "tailers", "drop", queue(), "orders", "--json"))
                .isZero();
        assertThat(Figures.parse(out()).text("dropped")).isEqualTo("orders");
    }

    @Test
    void dropsOne() {
        assertThat(larder("queue", "tailers", "drop", queue(), "orders")).isZero();
        assertThat(list()).extracting(tailer -> tailer.text("name")).containsExactly("bills");
    }

    @Test
    void refusesWhatIsNot() {
        assertThat(larder("queue", "tailers", "move", queue(), "order", "--to", "end"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("no tailer \"order\"").contains("bills, orders");
        assertThat(larder("queue", "tailers", "drop", queue(), "order")).isEqualTo(ExitCode.ERROR);
        assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", "#11"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("no record 11");
        assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", "later"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(list().get(1).whole("sequence")).isEqualTo(4);
    }

    /** The command changes neither the tailer of a live process nor its place. */
    @Test
    void leavesALiveOneAlone() {
        try (LarderQueue queue = LarderQueue.open(directory, new QueueArguments().options());
                Tailer tailer = queue.tailer("orders")) {
            assertThat(larder("queue", "tailers", "move", queue(), "orders", "--to", "end"))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err())
                    .contains("\"orders\" is held by")
                    .contains(Long.toString(ProcessHandle.current().pid()));
            assertThat(list().get(1).whole("process_id"))
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(tailer.sequence()).isEqualTo(4);
        }
    }
}
