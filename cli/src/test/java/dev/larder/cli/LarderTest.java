package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.larder.cli.map.MapCommand;
import dev.larder.cli.queue.QueueCommand;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.support.OtherThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** Runs the command as a shell would, on streams of its own. */
class LarderTest extends QueueShell {

    private String queue = "";

    @BeforeEach
    void nameTheQueue() {
        queue = directory.resolve("queue").toString();
    }

    private static String lines(int count) {
        return IntStream.range(0, count).mapToObj(line -> "line " + line + "\n").collect(Collectors.joining());
    }

    @Test
    void createsAppendsTailsAndVerifies() {
        assertThat(larder("", "queue", "create", queue, "--integrity", "record", "--segment", "4MiB"))
                .isZero();
        assertThat(out()).contains("integrity").contains("record").contains("4 MiB");
        assertThat(larder("one\n\ntwo\nthr\u00e9e", "queue", "append", queue)).isZero();
        assertThat(out()).isEqualTo("appended 4 messages, 12 bytes\n");
        assertThat(larder("", "queue", "tail", queue)).isZero();
        assertThat(out()).isEqualTo("one\n\ntwo\nthr\u00e9e\n");
        assertThat(larder("", "queue", "verify", queue, "--json")).isZero();
        assertThat(Figures.parse(out()).whole("records")).isEqualTo(4);
        assertThat(err()).isEmpty();
    }

    /** The JVM would exit with 1, which means that the answer is no. */
    @Test
    void anErrorOfTheJvmIsNoAnswer() {
        InputStream in = new InputStream() {
            @Override
            public int read() {
                throw new InternalError("a control");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                return read();
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Answer out = new Answer(new ByteArrayOutputStream());
        PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8);
        assertThat(Larder.execute(new Streams(in, out, errors, false), "queue", "import", queue))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("larder: unexpected error: java.lang.InternalError: a control\n");
    }

    /** The limits that the help names. */
    @Test
    void segmentsHaveAtLeast64KiB() {
        String map = directory.resolve("map").toString();
        assertThat(larder("", "queue", "create", queue, "--segment", "64KiB")).isZero();
        assertThat(out()).contains("64 KiB");
        assertThat(larder("", "map", "create", map, "--segment", "64KiB")).isZero();
        assertThat(larder("", "map", "put", map, "key", "value")).isZero();
        assertThat(larder("", "queue", "create", directory.resolve("less").toString(), "--segment", "32KiB"))
                .isEqualTo(2);
        assertThat(err()).contains("65536");
    }

    @Test
    void appendsInBatches() {
        larder("", "queue", "create", queue);
        assertThat(larder(lines(20_000), "queue", "append", queue, "--batch", "--json"))
                .isZero();
        Figures answer = Figures.parse(out());
        assertThat(answer.whole("messages")).isEqualTo(20_000);
        assertThat(answer.whole("durable_position")).isGreaterThan(answer.whole("last_position"));
        larder("", "queue", "tail", queue);
        assertThat(out()).isEqualTo(lines(20_000));
    }

    @Test
    void tailsFromAPositionAndAtMostSoMany() {
        larder("", "queue", "create", queue);
        larder(lines(10), "queue", "append", queue, "--sync", "each");
        larder("", "queue", "tail", queue, "--json", "--count", "4");
        List<Figures> messages = out().lines().map(Figures::parse).toList();
        assertThat(messages).hasSize(4);
        assertThat(messages.get(3).text("text")).isEqualTo("line 3");
        assertThat(messages.get(3).whole("length")).isEqualTo(6);
        larder(
                "",
                "queue",
                "tail",
                queue,
                "--from",
                Long.toString(messages.get(3).whole("position")),
                "--count",
                "2");
        assertThat(out()).isEqualTo("line 3\nline 4\n");
        larder("", "queue", "tail", queue, "--from", "end");
        assertThat(out()).isEmpty();
        larder("", "queue", "tail", queue, "--from", "#8");
        assertThat(out()).isEqualTo("line 8\nline 9\n");
        larder("", "queue", "tail", queue, "--from", "0:8192", "--count", "1");
        assertThat(out()).isEqualTo("line 0\n");
        larder("", "queue", "tail", queue, "-n", "3");
        assertThat(out()).isEqualTo("line 7\nline 8\nline 9\n");
        larder("", "queue", "tail", queue, "--last", "100");
        assertThat(out()).isEqualTo(lines(10));
        larder("", "queue", "tail", queue, "--from", "2000-01-01T00:00:00Z", "--count", "1");
        assertThat(out()).isEqualTo("line 0\n");
        assertThat(larder("", "queue", "tail", queue, "--from", "#11")).isEqualTo(ExitCode.ERROR);
        assertThat(larder("", "queue", "tail", queue, "--from", "0:8193")).isEqualTo(ExitCode.ERROR);
    }

    @Test
    void printsBytesThatAreNoTextInBase64() {
        larder("", "queue", "create", queue);
        try (LarderQueue open = LarderQueue.open(Path.of(queue))) {
            open.appender().append(new byte[] {(byte) 0xff, 0});
        }
        larder("", "queue", "tail", queue, "--json");
        assertThat(Figures.parse(out()).text("base64")).isEqualTo("/wA=");
    }

    @Test
    void tellsWhatIsInAQueueAndChangesNothing() throws IOException {
        larder("", "queue", "create", queue);
        larder(lines(3), "queue", "append", queue);
        List<Path> before = files();
        assertThat(larder("", "queue", "info", queue, "--json")).isZero();
        Figures info = Figures.parse(out());
        assertThat(larder("", "queue", "info", queue)).isZero();
        assertThat(out()).containsPattern("end position +0:8240 \\(8240\\)\n");
        assertThat(info.whole("end_position")).isGreaterThan(info.whole("first_position"));
        assertThat(info.whole("durable_position")).isEqualTo(info.whole("end_position"));
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws IOException {
        try (var files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }

    @Test
    void verifySaysNoToADamagedQueue() throws IOException {
        larder("", "queue", "create", queue, "--integrity", "record");
        larder(lines(100), "queue", "append", queue);
        damage("line 57");
        assertThat(larder("", "queue", "verify", queue)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).contains("problems");
    }

    /** Changes one byte of a message in its file. */
    private void damage(String message) throws IOException {
        try (var files = Files.newDirectoryStream(Path.of(queue), "*.seg")) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(message);
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(file, bytes);
                }
            }
        }
    }

    @Test
    void followsAQueueUntilItsReaderGoesAway() throws Exception {
        larder("", "queue", "create", queue);
        ClosablePipe pipe = new ClosablePipe();
        CompletableFuture<Integer> tail =
                OtherThread.call(() -> larder("", pipe, "queue", "tail", "-f", queue, "--from", "start"));
        appendInAnotherProcess("first\n");
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> pipe.text().equals("first\n"));
        appendInAnotherProcess("second\n");
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> pipe.text().equals("first\nsecond\n"));
        pipe.closed = true;
        appendInAnotherProcess("third\n");
        assertThat(tail.get(1, TimeUnit.MINUTES)).isZero();
    }

    /** One JVM opens a queue in one way only, so a writer beside a read-only tail is a process of its own. */
    private void appendInAnotherProcess(String input) throws IOException, InterruptedException {
        Process larder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        System.getProperty("jdk.module.path"),
                        "-m",
                        "dev.larder.cli/dev.larder.cli.Larder",
                        "queue",
                        "append",
                        queue)
                .redirectErrorStream(true)
                .start();
        try (OutputStream stream = larder.getOutputStream()) {
            stream.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String answer = new String(larder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(larder.waitFor()).as(answer).isZero();
    }

    /** Appends a message until the tail prints it, since the test cannot know when a tail is at the end. */
    @Test
    void followsFromTheEnd() throws Exception {
        larder("", "queue", "create", queue);
        larder(lines(10), "queue", "append", queue);
        ClosablePipe pipe = new ClosablePipe();
        CompletableFuture<Integer> tail = OtherThread.call(() -> larder("", pipe, "queue", "tail", "-f", queue));
        while (pipe.text().isEmpty()) {
            appendInAnotherProcess("later\n");
        }
        pipe.closed = true;
        appendInAnotherProcess("last\n");
        assertThat(tail.get(1, TimeUnit.MINUTES)).isZero();
        assertThat(pipe.text()).startsWith("later\n").doesNotContain("line");
    }

    @Test
    void stopsEarlyWhenNobodyReads() {
        larder("", "queue", "create", queue);
        larder(lines(100_000), "queue", "append", queue, "--batch");
        ClosablePipe pipe = new ClosablePipe();
        pipe.closed = true;
        assertThat(larder("", pipe, "queue", "tail", queue)).isZero();
        assertThat(pipe.refused).isLessThan(lines(100_000).length() / 2);
        assertThat(err()).isEmpty();
    }

    /** The write end of a pipe whose reader may go away. */
    private static final class ClosablePipe extends OutputStream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private volatile boolean closed;
        private long refused;

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] source, int offset, int length) throws IOException {
            if (closed) {
                refused += length;
                throw new IOException("Broken pipe");
            }
            bytes.write(source, offset, length);
        }

        synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void saysInOneLineWhatWasWrong() {
        assertThat(larder("", "queue", "info", queue)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: there is no queue in " + queue + "; make one: larder queue create " + queue + "\n");
        assertThat(out()).isEmpty();
        larder("", "queue", "create", queue);
        assertThat(larder("", "queue", "create", queue)).isEqualTo(ExitCode.ERROR);
        assertThat(err().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue",
                "queue tail",
                "queue create Q --segment 3MiB",
                "queue create Q --segment big",
                "queue create Q --integrity x",
                "queue append Q --sync often",
                "queue tail Q --last -1",
                "queue export Q --binary --json",
                "queue tail Q --last 3 --from end",
                "nonsense"
            })
    void refusesWhatItCannotUnderstandInOneLine(String arguments) {
        String[] words = arguments.replace("Q", queue).split(" ", -1);
        if (arguments.contains("append")) {
            larder("", "queue", "create", queue);
        }
        assertThat(larder("", words)).isEqualTo(ExitCode.USAGE);
        assertThat(err().lines()).hasSize(1).allSatisfy(line -> assertThat(line).startsWith("larder: "));
        assertThat(out()).isEmpty();
    }

    @Test
    void tailRefusesAPositionThatIsNoNumber() {
        larder("", "queue", "create", queue);
        assertThat(larder("", "queue", "tail", queue, "--from", "middle")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("--from 'middle'");
    }

    /** The help of commands is a format, so a percent sign is written twice in it. */
    @ParameterizedTest
    @ValueSource(classes = {QueueCommand.class, MapCommand.class, Larder.class})
    void commandsDescribeThemselves(Class<?> group) {
        for (Class<?> command : group.getAnnotation(Command.class).subcommands()) {
            String description =
                    String.join(" ", command.getAnnotation(Command.class).description());
            assertThatCode(() -> String.format(Locale.ROOT, description))
                    .as(description)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void helpsAndCompletes() {
        assertThat(larder("", "--help")).isZero();
        assertThat(out()).contains("queue").contains("lab").contains("Exit codes");
        assertThat(larder("", "queue", "create", "--help")).isZero();
        assertThat(out()).contains("--integrity");
        assertThat(larder("", "completion")).isZero();
        assertThat(out()).contains("complete -F _complete_larder").contains("--integrity");
        assertThat(larder("", "--version")).isZero();
        assertThat(out()).contains("Java 25");
    }

    @Test
    void helpsWhoTypesNothingOrHelp() {
        assertThat(larder("")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).startsWith("Usage: larder").contains("queue", "map", "top");
        assertThat(larder("", "help")).isZero();
        assertThat(out()).startsWith("Usage: larder");
        assertThat(larder("", "help", "queue")).isZero();
        assertThat(out()).startsWith("Usage: larder queue").contains("tail");
    }

    @Test
    void suggestsTheWordThatWasMeant() {
        assertThat(larder("", "queu", "info")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("did you mean queue").hasLineCount(1);
        assertThat(larder("", "queue", "creat", queue)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("create").hasLineCount(1);
        assertThat(larder("", "map", "gte", queue, "key")).isEqualTo(ExitCode.USAGE);
        assertThat(err())
                .isEqualTo("larder: larder map has no command 'gte'; did you mean get? (see larder map --help)\n");
        assertThat(larder("", "queue", "delete", queue)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).isEqualTo("larder: larder queue has no command 'delete' (see larder queue --help)\n");
    }

    @Test
    void advisesARepairWhereSegmentsAre() throws IOException {
        Path folder = directory.resolve("folder");
        Files.createDirectory(folder);
        Files.createFile(folder.resolve("passwd"));
        assertThat(larder("", "queue", "info", folder.toString())).isEqualTo(ExitCode.ERROR);
        assertThat(err()).isEqualTo("larder: there is no queue in " + folder + ": it has no log.ctl\n");
        assertThat(larder("", "queue", "create", queue)).isZero();
        Files.delete(Path.of(queue, "log.ctl"));
        assertThat(larder("", "queue", "info", queue)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).endsWith("no log.ctl; 'larder queue repair' saves the messages of its segments\n");
    }

    @Test
    void takesJsonBeforeTheWordsOfACommand() {
        larder("", "queue", "create", queue);
        for (String[] words : new String[][] {
            {"--json", "queue", "info", queue}, {"queue", "--json", "info", queue}, {"queue", "info", queue, "--json"}
        }) {
            assertThat(larder("", words)).isZero();
            assertThat(Figures.parse(out()).has("end_position")).isTrue();
        }
        assertThat(larder("", "--json")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void refusesToCopyAQueueOntoItself() {
        larder("", "queue", "create", queue);
        assertThat(larder("", "queue", "copy", queue, queue + "/../queue")).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .startsWith("larder: source and target are the same directory")
                .hasLineCount(1);
    }

    @Test
    void saysWhatIsNotInstalled() {
        for (String[] words : new String[][] {{"array"}, {"array", "status", "--json"}, {"serve", "data"}}) {
            assertThat(larder("", words)).isEqualTo(ExitCode.ERROR);
            assertThat(err())
                    .contains(" is not installed: unpack larder-server-VERSION.zip")
                    .contains("./larder " + words[0])
                    .hasLineCount(1);
        }
    }

    @Test
    void saysThatTheLabIsNotInstalled() {
        for (String[] words : new String[][] {{"lab"}, {"lab", "queue", "--quick"}}) {
            assertThat(larder("", words)).isEqualTo(ExitCode.ERROR);
            assertThat(err()).startsWith("larder: the lab is not installed: ").hasLineCount(1);
            assertThat(out()).isEmpty();
        }
        assertThat(larder("", "--help")).isZero();
        assertThat(out()).contains("Not installed here");
    }

    /** Covers all commands of other modules. The launchers of a clone build the module that such a command needs. */
    @Test
    void saysOfEveryCommandThatItIsNotInstalled() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        for (String module : List.of("serve", "array-cli", "lab")) {
            Path main = root.resolve(module).resolve("src/main");
            for (String provider :
                    Files.readAllLines(main.resolve("resources/META-INF/services/dev.larder.cli.CommandProvider"))) {
                String command = provider.substring(0, provider.length() - 1).replace('.', '/');
                Matcher named = Pattern.compile("@Command\\(\\s*name = \"(\\w+)\"")
                        .matcher(Files.readString(main.resolve("java").resolve(command + ".java")));
                assertThat(named.find()).as(provider).isTrue();
                String name = named.group(1);
                assertThat(larder("", name, "list")).as(name).isEqualTo(ExitCode.ERROR);
                assertThat(err()).contains(" is not installed: unpack ").hasLineCount(1);
                assertThat(Files.readString(root.resolve("larder")))
                        .containsPattern("(?m)^    [a-z| ]*\\b" + name + "\\b[a-z| ]*\\)$");
                assertThat(Files.readString(root.resolve("larder.cmd")))
                        .containsPattern("(in \\([a-z ]*\\b" + name + "\\b[a-z ]*\\) do|==\"" + name + "\")");
            }
        }
    }

    @Test
    void refusesAPortThatThereIsNot() {
        assertThat(larder("", "queue", "copy", "host:99999", queue)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).startsWith("larder: 'host:99999' is not HOST:PORT").hasLineCount(1);
    }

    /** The JVM turns bytes that are no characters of the locale into U+FFFD: two keys would become one. */
    @Test
    void refusesArgumentsWhoseCharactersAreLost() {
        String map = directory.resolve("map").toString();
        assertThat(larder("", "map", "create", map)).isZero();
        assertThat(larder("", "map", "put", map, "\ufffd\ufffdl", "3")).isEqualTo(ExitCode.USAGE);
        assertThat(err())
                .startsWith("larder: argument 4, '\ufffd\ufffdl', has bytes that are not characters of")
                .contains("LC_ALL=C.UTF-8", "hex")
                .hasLineCount(1);
        assertThat(larder("", "map", "scan", map)).isZero();
        assertThat(out()).isEmpty();
    }
}
