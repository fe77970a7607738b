package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scripts of {@code larder map shell} and {@code larder queue shell}. */
class ShellCommandsTest extends Shell {

    private String map = "";
    private String queue = "";

    @BeforeEach
    void create() {
        map = directory.resolve("map").toString();
        queue = directory.resolve("queue").toString();
        assertThat(larder(new byte[0], "map", "create", map)).as(err()).isZero();
        assertThat(larder(new byte[0], "queue", "create", queue)).isZero();
    }

    private int map(String script, String... options) {
        return shell("map", map, script, options);
    }

    private int shell(String kind, String at, String script, String... options) {
        String[] words = new String[3 + options.length];
        words[0] = kind;
        words[1] = "shell";
        words[2] = at;
        System.arraycopy(options, 0, words, 3, options.length);
        return larder(typed(script), words);
    }

    @Test
    void answersAsTheCommandsDo() {
        int code = map("""
            # stock
            put flour 12
            put 'whole milk' "3 l" --json

            get flour
            get 'whole milk' --json
            get none
            put flour 13
            remove flour
            scan
            """);
        assertThat(err()).isEmpty();
        assertThat(out()).isEqualTo("""
            added
            {"changed":true,"previous":null}
            12
            {"found":true,"key":{"text":"whole milk"},"value":{"text":"3 l"}}
            replaced
            removed
            whole milk\t3 l
            """);
        assertThat(code).isZero();
        assertThat(larder(new byte[0], "map", "get", map, "whole milk")).isZero();
        assertThat(out()).isEqualTo("3 l\n");
    }

    @Test
    void stopsAtTheFirstErrorAndNamesItsLine() {
        assertThat(map("put a 1\n\nput b\nput c 3\n")).isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("added\n");
        assertThat(err())
                .startsWith("larder: line 3: Missing required parameter: 'VALUE' (see help put)")
                .hasLineCount(1);
        assertThat(larder(new byte[0], "map", "get", map, "c")).isEqualTo(ExitCode.INVALID);
    }

    @Test
    void goesOnWhereItIsToldTo() {
        assertThat(map("putt a 1\nput 'a\nget a --keys int\nput c 3\n", "--continue"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEqualTo("added\n");
        assertThat(err().lines())
                .hasSize(3)
                .anySatisfy(
                        line -> assertThat(line).startsWith("larder: line 1: ").contains("did you mean put"))
                .anySatisfy(line -> assertThat(line).isEqualTo("larder: line 2: a ' is not closed"))
                .anySatisfy(line -> assertThat(line).startsWith("larder: line 3: the map's keys have the codec text"));
        assertThat(map("get a --keys int\nputt a 1\n", "--continue")).isEqualTo(ExitCode.ERROR);
    }

    @Test
    void endsAtExit() {
        for (String end : new String[] {"exit", "quit"}) {
            assertThat(map("put a 1\n" + end + "\nput b 2\n")).isZero();
            assertThat(out()).hasLineCount(1);
        }
        assertThat(map("")).isZero();
    }

    @Test
    void helpsWithTheCommandsThatItHas() {
        assertThat(map("help\nhelp put\nput --help\n")).isZero();
        assertThat(out())
                .contains("get", "remove", "scan", "put [-h")
                .doesNotContain("DIRECTORY", "--allow-remote", "repair");
    }

    @Test
    void takesNoValueFromTheScript() {
        assertThat(map("put a\nput b 1\n")).isEqualTo(ExitCode.USAGE);
        assertThat(out()).isEmpty();
    }

    @Test
    void storesNothingThatTheCodecWouldNot() {
        assertThat(map("put a ff --values hex\n")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).startsWith("larder: line 1: the map's values have the codec text");
    }

    /** The map is opened once, and is synced when the shell waits, not at each change. */
    @Test
    void runsAScriptOfManyPuts() {
        String script = IntStream.range(0, 2_000)
                .mapToObj(i -> "put key-" + i + " value-" + i + "\n")
                .collect(Collectors.joining());
        long syncs = syncs();
        assertThat(map(script)).as(err()).isZero();
        assertThat(out()).hasLineCount(2_000);
        assertThat(syncs() - syncs).isLessThan(200);
        assertThat(larder(new byte[0], "map", "get", map, "key-1999")).isZero();
    }

    private long syncs() {
        return Log.readCounters(Path.of(map)).getOrDefault(LogCounter.SYNCS, 0L);
    }

    /** A program at the other end of a pipe waits for each answer before it sends the next line. */
    @Test
    void answersBeforeItWaits() throws Exception {
        try (PipedOutputStream lines = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(lines);
                PipedOutputStream target = new PipedOutputStream();
                PipedInputStream answers = new PipedInputStream(target)) {
            CompletableFuture<Integer> shell = OtherThread.call(() -> Larder.execute(
                    new Streams(in, new Answer(target), new PrintStream(target, true, StandardCharsets.UTF_8), false),
                    "map",
                    "shell",
                    map));
            for (int i = 0; i < 3; i++) {
                lines.write(typed("put a " + i + "\nget a\n"));
                lines.flush();
                String expected = (i == 0 ? "added\n" : "replaced\n") + i + "\n";
                assertThat(answers.readNBytes(expected.length())).asString().isEqualTo(expected);
            }
            lines.write(typed("exit\n"));
            lines.flush();
            assertThat(shell.get(2, TimeUnit.MINUTES)).isZero();
        }
    }

    @Test
    void appendsToAQueueAndReadsIt() {
        int code = shell("queue", queue, """
            append one 'two words'
            append -- -three
            tail -n 2
            tailers list
            append x --json
            verify --json
            """);
        assertThat(err()).isEmpty();
        assertThat(out()).startsWith("""
            appended 2 messages, 12 bytes
            appended 1 message, 6 bytes
            two words
            -three
            no named tailers
            """).contains("\"messages\" : 1", "\"records\" : 4");
        assertThat(code).isZero();
        assertThat(larder(new byte[0], "queue", "tail", queue)).isZero();
        assertThat(out()).isEqualTo("one\ntwo words\n-three\nx\n");
    }

    @Test
    void refusesALineThatIsNoText() throws IOException {
        byte[] script = "put a 1\nput b X\n".getBytes(StandardCharsets.UTF_8);
        script[script.length - 2] = (byte) 0xff;
        assertThat(larder(script, "map", "shell", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).isEqualTo("larder: line 2: its bytes are not UTF-8\n");
    }

    @Test
    void saysThatAFileIsNoDirectory() {
        for (String kind : new String[] {"map", "queue"}) {
            assertThat(larder(
                            new byte[0],
                            kind,
                            "info",
                            directory.resolve(kind).resolve("log.ctl").toString()))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err()).endsWith("log.ctl is a file; name the directory that holds it\n");
        }
    }

    @Test
    void saysInOneLineThatAMapWasMade() {
        String made = directory.resolve("made").toString();
        assertThat(larder(new byte[0], "map", "create", made, "--keys", "long")).isZero();
        assertThat(out()).isEqualTo("created " + made + ": keys long and values text\n");
    }

    @Test
    void saysThatThereIsNoMap() throws IOException {
        assertThat(shell("map", directory.resolve("none").toString(), "")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).startsWith("larder: there is no map in ");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(shell("queue", empty.toString(), "")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).startsWith("larder: there is no queue in ");
    }
}
