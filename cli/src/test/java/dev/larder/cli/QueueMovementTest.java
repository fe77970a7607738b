package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Codec;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import dev.larder.tests.support.GoldenFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Export, import, copy, repair, upgrade and top, as a shell would run them. */
@Timeout(120)
class QueueMovementTest extends QueueShell {

    enum Side {
        BUY,
        SELL
    }

    record Leg(int quantity, Side side) {}

    @SuppressWarnings("ArrayRecordComponent") // as users have them
    record Trade(
            String symbol,
            double price,
            float rate,
            char letter,
            long number,
            List<Leg> legs,
            Optional<Integer> maybe,
            byte[] bytes,
            Map<Integer, String> byNumber,
            Instant at,
            UUID key,
            BigDecimal amount) {}

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private void fill(String name) {
        try (LarderQueue queue = LarderQueue.open(directory.resolve(name))) {
            queue.appender().append("t\u00e4xt");
            queue.appender(Codec.records(Trade.class)).append(trade(1.0 / 3));
            queue.appender().append(new byte[] {(byte) 0xff, 0});
            queue.appender().append(new byte[] {(byte) 0xfd, 9, 9, 9, 9});
            queue.appender(Codec.records(Trade.class)).append(trade(Double.longBitsToDouble(0x7ff8000000000123L)));
            queue.appender(Codec.records(Trade.class)).append(trade(Double.NEGATIVE_INFINITY));
            queue.appender().append("");
            queue.sync();
        }
    }

    private static Trade trade(double price) {
        return new Trade(
                "XY",
                price,
                0.1f,
                '\ud800',
                Long.MIN_VALUE,
                List.of(new Leg(3, Side.SELL), new Leg(4, Side.BUY)),
                Optional.empty(),
                new byte[] {1, 2, 3},
                Map.of(5, "five"),
                Instant.ofEpochSecond(1, 2),
                new UUID(3, 4),
                new BigDecimal("1.50"));
    }

    private List<String> messages(String name) {
        List<String> messages = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(directory.resolve(name));
                Tailer tailer = queue.tailer()) {
            tailer.drain(
                    MessageHandler.ofSlices(
                            slice -> messages.add(HexFormat.of().formatHex(slice.toArray(ValueLayout.JAVA_BYTE)))),
                    100);
        }
        return messages;
    }

    @Test
    void importsNoLineThatIsNotOneObject() {
        String line = "{\"text\":\"one\"}\n";
        for (String wrong : List.of(
                "{\"text\":\"\u00ff\"}",
                "{\"text\":\"\\ud800\"}",
                "{\"text\":\"two\"} {\"text\":\"three\"}",
                "[" + line.strip() + "]")) {
            assertThat(larder((line + wrong).getBytes(StandardCharsets.ISO_8859_1), "queue", "import", path("one")))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err())
                    .contains("line 2 is not a message")
                    .contains("1 message appended before it")
                    .hasLineCount(1);
        }
        assertThat(messages("one")).hasSize(4);
    }

    @Test
    void exportsLinesOfJsonThatImportReadsBackByteForByte() {
        fill("one");
        assertThat(larder("", "queue", "export", path("one"))).as(err()).isZero();
        String lines = out();
        List<Figures> parsed = lines.lines().map(Figures::parse).toList();
        assertThat(parsed).hasSize(8);
        assertThat(parsed.get(0).text("text")).isEqualTo("t\u00e4xt");
        assertThat(parsed.get(1).text("text")).startsWith("record Trade\n");
        assertThat(parsed.get(2).text("record")).isEqualTo("Trade");
        assertThat(parsed.get(2).part("value").rows("legs").get(0).text("side")).isEqualTo("SELL");
        assertThat(parsed.get(3).text("base64")).isEqualTo("/wA=");
        assertThat(parsed.get(4).has("base64")).isTrue();
        assertThat(parsed.get(5).has("base64")).as("a NaN with bits of its own").isTrue();
        assertThat(parsed.get(6).part("value").text("price")).isEqualTo("-Infinity");
        assertThat(larder(lines, "queue", "import", path("two"))).as(err()).isZero();
        assertThat(out()).isEqualTo("appended 7 messages\n");
        assertThat(messages("two")).isEqualTo(messages("one"));
    }

    record Unusual(Map<String, Integer> byName, Optional<Unusual> inner) {}

    private static Unusual nested(int depth) {
        Unusual value = new Unusual(Map.of(), Optional.empty());
        for (int level = 0; level < depth; level++) {
            value = new Unusual(Map.of(), Optional.of(value));
        }
        return value;
    }

    /** A parser of Jackson refuses a name of more than 50,000 characters by default. */
    @Test
    void exportsRecordsWithLongNames() {
        String name = "n".repeat(60_000);
        try (LarderQueue queue = LarderQueue.open(directory.resolve("one"))) {
            queue.appender(Codec.records(Unusual.class)).append(new Unusual(Map.of(name, 1), Optional.empty()));
        }
        assertThat(larder("", "queue", "export", path("one"))).as(err()).isZero();
        String lines = out();
        assertThat(lines).contains("{\"byName\":{\"" + name + "\":1}");
        assertThat(larder(lines, "queue", "import", path("two"))).as(err()).isZero();
        assertThat(messages("two")).isEqualTo(messages("one")).hasSize(1);
    }

    /** Jackson limits the depth to 500. The codec has only the limit of the stack. */
    @Test
    void exportsDeepRecords() throws Exception {
        FutureTask<Integer> deep = new FutureTask<>(() -> {
            try (LarderQueue queue = LarderQueue.open(directory.resolve("one"))) {
                queue.appender(Codec.records(Unusual.class)).append(nested(600));
            }
            assertThat(larder("", "queue", "tail", path("one"))).as(err()).isZero();
            assertThat(out()).startsWith("Unusual {").hasLineCount(1);
            return larder("", "queue", "export", path("one"));
        });
        new Thread(null, deep, "deep", 64 << 20).start();
        assertThat(deep.get()).as(err()).isZero();
        String lines = out();
        assertThat(lines.lines().skip(1)).singleElement().asString().contains("base64");
        assertThat(larder(lines, "queue", "import", path("two"))).as(err()).isZero();
        assertThat(messages("two")).isEqualTo(messages("one")).hasSize(1);
    }

    @Test
    void tailsTypedMessagesByTheirSchemas() {
        fill("one");
        assertThat(larder("", "queue", "tail", path("one"), "--json")).as(err()).isZero();
        List<Figures> messages = out().lines().map(Figures::parse).toList();
        assertThat(messages).hasSize(7);
        assertThat(messages.get(0).text("text")).isEqualTo("t\u00e4xt");
        assertThat(messages.get(1).text("record")).isEqualTo("Trade");
        assertThat(messages.get(1).whole("length")).isPositive();
        assertThat(messages.get(1).part("value").text("symbol")).isEqualTo("XY");
        assertThat(messages.get(1).part("value").rows("legs").get(1).text("side"))
                .isEqualTo("BUY");
        assertThat(messages.get(3).text("base64"))
                .as("no schema of that number")
                .isEqualTo("/QkJCQk=");
        assertThat(messages.get(4).part("value").text("price")).isEqualTo("NaN");
        assertThat(larder("", "queue", "tail", path("one"), "--count", "2"))
                .as(err())
                .isZero();
        assertThat(out())
                .startsWith("t\u00e4xt\nTrade {\"symbol\":\"XY\",\"price\":0.33333")
                .endsWith("}\n");
    }

    @Test
    void exportsAndImportsBytes() {
        fill("one");
        String file = path("export");
        assertThat(larder("", "queue", "export", path("one"), "--binary", "--to", file))
                .as(err())
                .isZero();
        assertThat(larder("", "queue", "import", path("two"), "--binary", "--from", file, "--json"))
                .as(err())
                .isZero();
        assertThat(Figures.parse(out()).whole("messages")).isEqualTo(7);
        assertThat(messages("two")).isEqualTo(messages("one"));
        assertThat(larder("", "queue", "export", path("one"), "--to", file)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("exists already");
    }

    @Test
    void refusesBytesAfterTheEndOfAnExport() {
        fill("one");
        assertThat(larder("", "queue", "export", path("one"), "--binary")).isZero();
        byte[] export = answer();
        byte[] longer = Arrays.copyOf(export, export.length + 1);
        assertThat(larder(longer, "queue", "import", path("two"), "--binary")).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: the standard input: more bytes follow the end mark, at byte " + export.length
                        + "; the messages before it are appended. Import each export by itself\n");
        assertThat(messages("two")).isEqualTo(messages("one"));
    }

    /** The system creates files that others may read, and the files of the queue are the owner's alone. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void anExportIsItsOwnersAlone() throws IOException {
        fill("one");
        for (String form : new String[] {"--binary", "--json"}) {
            Path file = directory.resolve("export" + form);
            assertThat(larder("", "queue", "export", path("one"), form, "--to", file.toString()))
                    .isZero();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void saysWhyAFileCannotBeWritten() {
        fill("one");
        String missing = path("missing/export");
        assertThat(larder("", "queue", "export", path("one"), "--to", missing)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).isEqualTo("larder: cannot write the export: " + missing + ": no such file or directory\n");
    }

    /** No measurement takes so long, and the end of one is a number of nanoseconds. */
    @Test
    void topRefusesAnIntervalAboveADay() {
        assertThat(larder("", "top", directory.toString(), "--interval", "3000000h"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err())
                .startsWith("larder: --interval 3000000h: the most is 24h")
                .hasLineCount(1);
    }

    @Test
    void importsLinesThatAPersonWrote() {
        assertThat(larder("{\"text\":\"one\"}\n\n{\"base64\":\"AP8=\"}\n", "queue", "import", path("queue")))
                .as(err())
                .isZero();
        assertThat(messages("queue")).containsExactly("6f6e65", "00ff");
        assertThat(larder("{\"text\":\"two\"}\n{\"value\":{}}\n", "queue", "import", path("queue")))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 2", "neither text", "1 message appended before it");
        assertThat(larder("not json\n", "queue", "import", path("queue"))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 1");
    }

    @Test
    void importsNoSchemaNumberThatIsTooLarge() {
        String schema = "{\"schema\":1,\"text\":\"record Leg\\n quantity int\\n\"}\n";
        String message = "{\"schema\":4294967297,\"value\":{\"quantity\":1}}\n";
        assertThat(larder(schema + message, "queue", "import", path("one"))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 2 is not a message: 4294967297 is not the number of a schema");
        String wrong = schema.replace("1", "1.5");
        assertThat(larder(wrong, "queue", "import", path("one"))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 1 is not a message: 1.5 is not the number of a schema");
    }

    /** A mistyped name must not create a queue in a folder of other files. */
    @Test
    void touchesNoDirectoryThatIsNoQueue() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("file"), "of somebody else");
        for (List<String> words : List.of(
                List.of("tail"),
                List.of("info"),
                List.of("append"),
                List.of("export"),
                List.of("import"),
                List.of("verify"),
                List.of("tailers", "list"),
                List.of("upgrade"))) {
            List<String> command = new ArrayList<>(List.of("queue"));
            command.addAll(words);
            command.add(other.toString());
            assertThat(larder("", command.toArray(String[]::new)))
                    .as("%s", words)
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err()).as("%s", words).contains("there is no queue in " + other);
            assertThat(other.toFile().list()).as("%s", words).containsExactly("file");
        }
        assertThat(larder("", "queue", "import", path("new"), "--from", path("missing")))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("there is no file " + path("missing"));
        assertThat(directory.resolve("new")).doesNotExist();
    }

    @Test
    void copiesAndCopiesOn() {
        fill("one");
        assertThat(larder("", "queue", "copy", path("one"), path("two")))
                .as(err())
                .isZero();
        assertThat(out()).isEqualTo("copied 7 messages\n");
        assertThat(larder("", "queue", "copy", path("one"), path("two"), "--json"))
                .isZero();
        assertThat(Figures.parse(out()).whole("messages")).isZero();
        assertThat(messages("two")).isEqualTo(messages("one"));
        assertThat(larder("", "queue", "copy", "127.0.0.1:1", path("three"))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("127.0.0.1:1");
    }

    @Test
    void repairsADamagedQueueWithoutTouchingIt() throws IOException {
        fill("one");
        Path segment = directory.resolve("one").resolve("0000000000.seg");
        byte[] bytes = Files.readAllBytes(segment);
        Files.delete(directory.resolve("one").resolve("log.ctl"));
        assertThat(larder("", "queue", "repair", path("one"), path("two")))
                .as(err())
                .isZero();
        assertThat(messages("two")).hasSize(7);
        bytes[8192 + 8] ^= 1; // the payload of the first record
        Files.write(segment, bytes);
        assertThat(larder("", "queue", "repair", path("one"), path("three"), "--json"))
                .isEqualTo(ExitCode.INVALID);
        Figures report = Figures.parse(out());
        assertThat(report.whole("messages")).isLessThan(7);
        assertThat(report.text("problems")).contains(segment.toString());
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
    }

    @Test
    void hasNothingToUpgradeAndRefusesWhatItDoesNotKnow() throws IOException {
        fill("one");
        assertThat(larder("", "queue", "upgrade", path("one"))).as(err()).isZero();
        assertThat(out()).contains("nothing to do", "4 files"); // a segment, the control file, counters, a schema
        try (LarderQueue queue = LarderQueue.open(directory.resolve("one"))) {
            queue.tailer("named").close();
        }
        assertThat(larder("", "queue", "upgrade", path("one"))).as(err()).isZero();
        assertThat(out()).contains("5 files");
        Path schema = directory.resolve("one").resolve("00000001.schema");
        Files.writeString(schema, "x".repeat(100));
        assertThat(larder("", "queue", "upgrade", path("one"))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains(schema.toString(), "not a file of Larder");
    }

    @Test
    void upgradeRefusesAMap() {
        assertThat(larder("", "map", "create", path("map"))).as(err()).isZero();
        assertThat(larder("", "queue", "upgrade", path("map"))).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("it holds a map, which has commands of its own")
                .hasLineCount(1);
    }

    /** A process that has the queue open drops its oldest segments while the command checks the files. */
    @Test
    void upgradePassesSegmentsThatAreDroppedMeanwhile() throws Exception {
        fill("one");
        Path segment = directory.resolve("one").resolve("0000009999.seg");
        Path dropped = directory.resolve("dropped.seg");
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(directory.resolve("one"), "*.seg")) {
            Files.copy(segments.iterator().next(), segment);
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread dropper = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                move(segment, dropped);
                move(dropped, segment);
            }
        });
        try {
            for (int round = 0; round < 300; round++) {
                assertThat(larder("", "queue", "upgrade", path("one")))
                        .as(err())
                        .isZero();
            }
        } finally {
            over.set(true);
            dropper.join();
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatAFileOfAnOlderVersionCannotBeUpgraded() throws IOException {
        fill("one");
        Path golden = Path.of("../formats/queue/v1/good").toAbsolutePath().normalize();
        GoldenFile.restore(golden, directory.resolve("old"));
        Path place = directory.resolve("one").resolve("copy.place");
        Files.copy(directory.resolve("old").resolve("copy.place"), place);
        assertThat(larder("", "queue", "upgrade", path("one"))).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains(place + ": is of version 1 of QCOPY, which cannot be upgraded; this release reads version 2");
    }

    private Process hold(String name) throws IOException {
        String paths = System.getProperty("jdk.module.path", "")
                + System.getProperty("path.separator")
                + System.getProperty("java.class.path");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        paths + System.getProperty("path.separator") + testClasses(),
                        HoldingChild.class.getName(),
                        path(name))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String testClasses() {
        return Path.of(URI.create(HoldingChild.class
                        .getResource("HoldingChild.class")
                        .toString()
                        .replaceFirst("dev/larder/cli/HoldingChild.class$", "")))
                .toString();
    }

    @Test
    void showsAllLogsUnderAFolderAndWhoUsesThem() throws IOException {
        fill("one");
        fill("two");
        try (LarderQueue queue = LarderQueue.open(directory.resolve("two"));
                Tailer near = queue.tailer("near", Commit.EXPLICIT)) {
            near.toEnd().commit();
            queue.tailer("far").close();
        }
        Process child = hold("one");
        try (BufferedReader said = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("READY");
            assertThat(larder("", "top", directory.toString(), "--once", "--interval", "20ms", "--json"))
                    .as(err())
                    .isZero();
            Figures look = Figures.parse(out());
            assertThat(look.rows("logs")).extracting(log -> log.text("log")).containsExactly("one", "two");
            assertThat(look.rows("logs").get(0).whole("bytes")).isGreaterThanOrEqualTo(2L << 20);
            assertThat(look.rows("logs").get(0).rows("segments")).isNotEmpty();
            assertThat(look.rows("logs").get(0).get("tailer_lag_messages")).isNull();
            assertThat(look.rows("logs").get(1).whole("tailer_lag_messages")).isPositive();
            assertThat(look.rows("logs").get(1).whole("tailer_lag_bytes")).isPositive();
            assertThat(look.rows("logs").get(1).rows("tailers"))
                    .extracting(tailer -> tailer.text("name") + " " + tailer.whole("lag_messages"))
                    .containsExactly("far " + look.rows("logs").get(1).whole("tailer_lag_messages"), "near 0");
            if (Files.exists(Path.of("/proc/self/maps"))) {
                assertThat(look.rows("processes")).singleElement().satisfies(process -> {
                    assertThat(process.whole("pid")).isEqualTo(child.pid());
                    assertThat(process.whole("virtual_bytes")).isPositive();
                    assertThat(process.number("paused_ms")).isPositive();
                });
            }
            if (Files.exists(Path.of("/proc/locks"))) {
                assertThat(look.rows("logs").get(0).whole("registered")).isOne();
                assertThat(look.rows("logs").get(1).whole("registered")).isZero();
            }
        } finally {
            child.destroyForcibly();
        }
        Files.writeString(directory.resolve("one").resolve("copy.seg"), "of somebody else");
        assertThat(larder("", "top", directory.toString(), "--once", "--interval", "20ms"))
                .as(err())
                .isZero();
        assertThat(out()).contains("2 logs", "UNSYNCED", "CACHED", "LAG", "segments 0 to", "no visible process");
        assertThat(larder("", "top", path("missing"), "--once")).isEqualTo(ExitCode.ERROR);
    }
}
