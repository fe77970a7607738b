package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.Figures;
import dev.larder.log.LogOptions;
import dev.larder.log.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.memory.LarderException;
import dev.larder.queue.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of maps, as a shell runs them. */
class MapCommandsTest {

    private record Trade(String symbol, double price) {}

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private String map = "";
    private String other = "";

    @BeforeEach
    void nameTheMaps() {
        map = directory.resolve("map").toString();
        other = directory.resolve("other").toString();
    }

    private int larder(byte[] input, String... arguments) {
        out.reset();
        err.reset();
        return Larder.execute(
                new Streams(new ByteArrayInputStream(input), new Answer(out), print(err), false), arguments);
    }

    private int larder(String... arguments) {
        return larder(new byte[0], arguments);
    }

    private static PrintStream print(ByteArrayOutputStream target) {
        return new PrintStream(target, false, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Returns the lines that the command has printed, sorted: entries come in no order. */
    private List<String> sortedLines() {
        return out().lines().sorted().toList();
    }

    private void create() {
        assertThat(larder("map", "create", map)).isZero();
    }

    private void fill(int entries) {
        String lines = IntStream.range(0, entries)
                .mapToObj(i -> "{\"key\":{\"text\":\"key " + i + "\"},\"value\":{\"text\":\"value " + i + "\"}}\n")
                .collect(Collectors.joining());
        assertThat(larder(lines.getBytes(StandardCharsets.UTF_8), "map", "import", map))
                .isZero();
    }

    @Test
    void createsPutsGetsAndRemoves() {
        create();
        assertThat(out()).contains("entries").contains("integrity");
        assertThat(larder("map", "put", map, "flour", "12")).isZero();
        assertThat(out()).isEqualTo("added\n");
        assertThat(larder("map", "put", map, "flour", "11")).isZero();
        assertThat(out()).isEqualTo("replaced\n");
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(out()).isEqualTo("11\n");
        assertThat(larder("map", "put", map, "flour", "10", "--if-absent")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "remove", map, "flour", "--json")).isZero();
        assertThat(Figures.parse(out()).part("previous").text("text")).isEqualTo("11");
        assertThat(larder("map", "remove", map, "flour")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "get", map, "flour")).isEqualTo(ExitCode.INVALID);
        assertThat(out()).isEmpty();
        assertThat(larder("map", "get", map, "flour", "--json")).isEqualTo(ExitCode.INVALID);
        assertThat(Figures.parse(out()).flag("found")).isFalse();
        assertThat(err()).isEmpty();
    }

    @Test
    void putsWhatExpires() throws InterruptedException {
        create();
        assertThat(larder("map", "put", map, "flour", "12", "--lifetime", "1h")).isZero();
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(larder("map", "put", map, "flour", "11", "--lifetime", "1ms"))
                .isZero();
        assertThat(out()).isEqualTo("replaced\n");
        Thread.sleep(2);
        assertThat(larder("map", "get", map, "flour")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "put", map, "flour", "1", "--lifetime", "2000000h"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("--lifetime").contains("1 ms");
        assertThat(larder("map", "put", other, "flour", "1", "--lifetime", "2000000h"))
                .as("before the map is looked for")
                .isEqualTo(ExitCode.USAGE);
        assertThat(larder("map", "put", map, "flour", "1", "--lifetime", "1h", "--if-absent"))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void takesTheValueFromTheInputAsItIs() {
        create();
        byte[] bytes = {0, (byte) 0xff, '\n', 3};
        assertThat(larder(bytes, "map", "put", map, "bytes")).isZero();
        assertThat(larder("map", "get", map, "bytes")).isZero();
        assertThat(Arrays.copyOf(out.toByteArray(), bytes.length)).isEqualTo(bytes);
        assertThat(larder("map", "get", map, "bytes", "--values", "hex")).isZero();
        assertThat(out()).isEqualTo("00ff0a03\n");
        assertThat(larder("map", "get", map, "bytes", "--values", "int")).isZero();
        assertThat(out()).isEqualTo(0x030aff00 + "\n");
        assertThat(larder("map", "get", map, "bytes", "--values", "long")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("a value of 4 bytes is no long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void takesTheValueFromTheInputAsValuesSays(String end) {
        create();
        byte[] number = ("9000000000" + end).getBytes(StandardCharsets.UTF_8);
        assertThat(larder(number, "map", "put", map, "flour", "--values", "long"))
                .isZero();
        assertThat(larder("map", "get", map, "flour", "--values", "hex")).isZero();
        assertThat(out()).isEqualTo("001a711802000000\n");
        byte[] text = ("two\n" + end).getBytes(StandardCharsets.UTF_8);
        assertThat(larder(text, "map", "put", map, "flour", "--values", "text")).isZero();
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(out()).isEqualTo(end.isEmpty() ? "two\n" : "two\n\n");
        assertThat(larder(new byte[] {(byte) 0xff}, "map", "put", map, "flour", "--values", "text"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("the standard input is no UTF-8").hasLineCount(1);
    }

    @Test
    void refusesAKeyThatIsTooLongInOneLine() {
        create();
        String key = "k".repeat(65_535);
        assertThat(larder("map", "put", map, key, "12")).isZero();
        assertThat(larder("map", "get", map, key)).isZero();
        String line = "{\"key\":{\"text\":\"" + key + "k\"},\"value\":{\"text\":\"b\"}}";
        for (String command : List.of("put", "get", "remove")) {
            assertThat(larder("map", command, map, key + "k")).isEqualTo(ExitCode.ERROR);
            assertThat(err()).isEqualTo("larder: the key has 65536 bytes; the most are 65535\n");
        }
        assertThat(larder(line.getBytes(StandardCharsets.UTF_8), "map", "import", map))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("line 1 could not be put: the key has 65536 bytes; the most are 65535")
                .hasLineCount(1);
    }

    @Test
    void writesAndReadsEveryForm() {
        create();
        Map<String, String> forms = Map.of(
                "text",
                "salt",
                "hex",
                "00ff0203",
                "base64",
                "AP8BAg==",
                "int",
                "-5",
                "long",
                "9000000000",
                "double",
                "2.5");
        forms.forEach((form, given) -> {
            assertThat(larder("map", "put", map, "-k", form, "-w", form, "--", given, given))
                    .isZero();
            assertThat(larder("map", "get", map, "-k", form, "-w", form, "--", given))
                    .isZero();
            assertThat(out()).isEqualTo(given + "\n");
        });
        assertThat(larder("map", "export", map, "-k", "hex")).isZero();
        assertThat(larder(out.toByteArray(), "map", "import", other)).isZero();
        assertThat(larder("map", "scan", map, "-w", "hex")).isZero();
        List<String> before = sortedLines();
        assertThat(larder("map", "scan", other, "-w", "hex")).isZero();
        assertThat(sortedLines()).isEqualTo(before).hasSize(forms.size());
    }

    @Test
    void changesWhatDoesNotFitTheFormOfWhatIsPut() {
        create();
        String[] put = {"map", "put", map, "flour", "12", "--values", "long"};
        assertThat(larder("map", "put", map, "flour", "hello")).isZero();
        assertThat(larder(put)).isZero();
        assertThat(out()).isEqualTo("replaced\n");
        assertThat(larder("map", "put", map, "flour", "hello")).isZero();
        assertThat(larder("map", "put", map, "flour", "12", "--values", "long", "--if-absent"))
                .isEqualTo(ExitCode.INVALID);
        assertThat(out()).isEqualTo("there already\n");
        assertThat(larder("map", "put", map, "flour", "12", "--values", "long", "--json"))
                .isZero();
        assertThat(Figures.parse(out()).part("previous").text("text")).isEqualTo("hello");
        assertThat(larder("map", "remove", map, "flour", "--values", "int")).isZero();
        assertThat(out()).isEqualTo("removed\n");
        assertThat(larder(put)).isZero();
        assertThat(larder("map", "remove", map, "flour", "--values", "int", "--json"))
                .isZero();
        assertThat(Figures.parse(out()).flag("removed")).isTrue();
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"@x", "@@x", "@", "-x", "--", "--json"})
    void takesKeysAndValuesThatLookLikeOptions(String word) {
        create();
        assertThat(larder("map", "put", map, "--json", "--", word, word)).isZero();
        assertThat(larder("map", "get", map, "--json", "--", word)).isZero();
        assertThat(Figures.parse(out()).part("key").text("text")).isEqualTo(word);
        assertThat(Figures.parse(out()).part("value").text("text")).isEqualTo(word);
        assertThat(larder("map", "remove", map, "--", word)).isZero();
    }

    @Test
    void readsWhatAProgramHasWritten() {
        try (LarderMap<Long, Trade> trades =
                LarderMap.open(Path.of(map), ValueCodec.longs(), Codec.records(Trade.class, MethodHandles.lookup()))) {
            trades.put(7L, new Trade("XY", 1.5));
        }
        assertThat(larder("map", "get", map, "7", "--keys", "long")).isZero();
        assertThat(out()).isEqualTo("Trade {\"symbol\":\"XY\",\"price\":1.5}\n");
        assertThat(larder("map", "scan", map, "--keys", "long", "--json")).isZero();
        assertThat(Figures.parse(out()).part("key").whole("long")).isEqualTo(7);
        assertThat(Figures.parse(out()).part("value").part("value").text("symbol"))
                .isEqualTo("XY");
        String next = "Trade {\"symbol\":\"ZZ\",\"price\":3}";
        assertThat(larder("map", "put", map, "8", next, "--keys", "long", "--values", "record"))
                .isZero();
        assertThat(larder("map", "put", map, "9", "Deal {}", "--keys", "long", "--values", "record"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("no schema of that name");
        assertThat(trade(map, 8L)).isEqualTo(new Trade("ZZ", 3));
    }

    private static @Nullable Trade trade(String directory, long key) {
        try (LarderMap<Long, Trade> trades = LarderMap.open(
                Path.of(directory), ValueCodec.longs(), Codec.records(Trade.class, MethodHandles.lookup()))) {
            return trades.get(key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--binary", "--json"})
    void carriesTypedValuesIntoAMapThatHasSchemasOfItsOwn(String form) {
        record Other(int number) {}
        try (LarderMap<Long, Trade> trades =
                LarderMap.open(Path.of(map), ValueCodec.longs(), Codec.records(Trade.class, MethodHandles.lookup()))) {
            trades.put(7L, new Trade("XY", Double.NaN));
            trades.put(8L, new Trade("YZ", 2));
        }
        try (LarderMap<Long, Other> others = LarderMap.open(
                Path.of(other), ValueCodec.longs(), Codec.records(Other.class, MethodHandles.lookup()))) {
            others.put(1L, new Other(1));
        }
        assertThat(larder("map", "export", map, form)).isZero();
        String kind = form.equals("--binary") ? "--binary" : "--json";
        assertThat(larder(out.toByteArray(), "map", "import", other, kind)).isZero();
        assertThat(trade(other, 7L)).isEqualTo(new Trade("XY", Double.NaN));
        assertThat(trade(other, 8L)).isEqualTo(new Trade("YZ", 2));
    }

    @Test
    void scansSoManyAndExportsAll() {
        fill(1000);
        assertThat(out()).isEqualTo("put 1000 entries, the map has 1000\n");
        assertThat(larder("map", "scan", map, "-n", "10")).isZero();
        assertThat(out().lines()).hasSize(10).allMatch(line -> line.matches("key (\\d+)\tvalue \\1"));
        assertThat(larder("map", "scan", map, "--keys-only")).isZero();
        assertThat(new TreeSet<>(sortedLines())).hasSize(1000);
        String file = directory.resolve("export").toString();
        assertThat(larder("map", "export", map, "--binary", "--to", file)).isZero();
        assertThat(larder("map", "export", map, "--binary", "--to", file)).isEqualTo(ExitCode.ERROR);
        assertThat(larder("map", "import", other, "--binary", "--from", file)).isZero();
        assertThat(larder("map", "scan", map)).isZero();
        List<String> before = sortedLines();
        assertThat(larder("map", "scan", other)).isZero();
        assertThat(sortedLines()).isEqualTo(before).hasSize(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--binary", "--json"})
    void carriesTheTimeWhenAnEntryExpires(String form) {
        create();
        assertThat(larder("map", "put", map, "flour", "12", "--lifetime", "1h")).isZero();
        assertThat(larder("map", "put", map, "salt", "1")).isZero();
        assertThat(larder("map", "get", map, "flour", "--json")).isZero();
        String expires = Figures.parse(out()).text("expires");
        assertThat(Instant.parse(expires))
                .isBetween(Instant.now().plusSeconds(3000), Instant.now().plusSeconds(3600));
        assertThat(larder("map", "put", map, "milk", "2", "--lifetime", "3s")).isZero();
        assertThat(larder("map", "export", map, form)).isZero();
        byte[] export = out.toByteArray();
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> larder("map", "get", map, "milk") != ExitCode.OK);
        assertThat(larder(export, "map", "import", other, form)).isZero();
        assertThat(out()).containsPattern("put\\W+2\\b").contains("expired");
        assertThat(larder("map", "get", other, "flour", "--json")).isZero();
        assertThat(Figures.parse(out()).text("expires")).isEqualTo(expires);
        assertThat(larder("map", "get", other, "salt", "--json")).isZero();
        assertThat(Figures.parse(out()).names()).doesNotContain("expires");
        assertThat(larder("map", "get", other, "milk")).isEqualTo(ExitCode.INVALID);
    }

    @Test
    void refusesDamagedExports() throws IOException {
        fill(100);
        Path file = directory.resolve("export");
        assertThat(larder("map", "export", map, "--binary", "--to", file.toString()))
                .isZero();
        byte[] bytes = Files.readAllBytes(file);
        int middle = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("value 57");
        bytes[middle] ^= 1;
        assertThat(larder(bytes, "map", "import", other, "--binary")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).containsPattern("frame \\d+ fails its check");
        bytes[middle] ^= 1;
        byte[] half = Arrays.copyOf(bytes, bytes.length / 2);
        assertThat(larder(half, "map", "import", other, "--binary")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("before its end");
        assertThat(larder("{}".getBytes(StandardCharsets.UTF_8), "map", "import", other, "--binary"))
                .isEqualTo(ExitCode.ERROR);
        String lines = "{\"key\":{\"text\":\"a\"},\"value\":{\"text\":\"b\"}}\n{\"key\":3}\n";
        assertThat(larder(lines.getBytes(StandardCharsets.UTF_8), "map", "import", other))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 2 is no entry").contains("1 were put before it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":{\"text\":\"c\"},\"value\":{\"text\":\"\u00ff\"}}", // Latin-1: no UTF-8
                "{\"key\":{\"text\":\"c\"},\"value\":{\"text\":\"d\"}}"
                        + " {\"key\":{\"text\":\"e\"},\"value\":{\"text\":\"f\"}}",
                "{\"key\":{\"text\":\"c\"},\"value\":{\"text\":\"d\"}}}",
                "{\"key\":{\"text\":\"c\"},\"value\":{\"text\":\"d\"}} and more",
                "[{\"key\":{\"text\":\"c\"},\"value\":{\"text\":\"d\"}}]",
                "null",
                "{\"key\":{\"text\":\"\\ud800\"},\"value\":{\"text\":\"d\"}}", // half of a character
                "{\"key\":{\"text\":\"c\"}"
            })
    void refusesALineThatIsNotOneObject(String line) {
        String lines = "{\"key\":{\"text\":\"a\"},\"value\":{\"text\":\"b\"}} \r\n\n" + line + "\n";
        assertThat(larder(lines.getBytes(StandardCharsets.ISO_8859_1), "map", "import", other))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("line 3 is no entry")
                .contains("1 were put before it")
                .hasLineCount(1);
        assertThat(larder("map", "scan", other)).isZero();
        assertThat(out()).isEqualTo("a\tb\n");
    }

    @Test
    void doesNotBlameALineForWhatTheMapRefuses() {
        create();
        LogOptions options = LogOptions.defaults();
        LarderMap<byte[], byte[]> closed =
                LarderMap.open(Path.of(map), ValueCodec.bytes(), ValueCodec.bytes(), options);
        EntryImport entries = new EntryImport(closed, Path.of(map), options, "the export");
        closed.close();
        byte[] line = "{\"key\":{\"text\":\"a\"},\"value\":{\"text\":\"b\"}}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> entries.readLines(new ByteArrayInputStream(line)))
                .isInstanceOf(LarderException.class)
                .hasMessageStartingWith("the export: line 1 could not be put: ")
                .hasMessageEndingWith("; 0 were put before it");
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                -0.0,
                0.0,
                Double.MIN_VALUE,
                -Double.MAX_VALUE,
                0.1,
                1e23,
                3,
                Double.NaN,
                Double.NEGATIVE_INFINITY
            })
    void carriesDoublesBitByBit(double number) {
        try (LarderMap<Double, Trade> trades = LarderMap.open(
                Path.of(map), ValueCodec.doubles(), Codec.records(Trade.class, MethodHandles.lookup()))) {
            trades.put(number, new Trade("XY", number));
        }
        assertThat(larder("map", "export", map, "--keys", "double")).isZero();
        assertThat(larder(out.toByteArray(), "map", "import", other)).isZero();
        assertThat(larder("map", "scan", map, "-k", "hex", "-w", "hex")).isZero();
        String before = out();
        assertThat(larder("map", "scan", other, "-k", "hex", "-w", "hex")).isZero();
        assertThat(out()).isEqualTo(before).isNotEmpty();
    }

    @Test
    void tellsHowAMapStandsWhileItIsOpenElsewhere() throws Exception {
        fill(100);
        try (HeldMap held = HeldMap.open(map)) {
            assertThat(larder("map", "info", map, "--json")).isZero();
            Figures info = Figures.parse(out());
            assertThat(info.flag("current")).isTrue();
            assertThat(info.whole("entries")).isEqualTo(100);
            assertThat(info.whole("index_bytes")).isPositive(); // the steps that were looked for
            assertThat(info.whole("hits")).isZero();
            assertThat(larder("map", "get", map, "key 1")).isZero();
            assertThat(out()).isEqualTo("value 1\n");
            held.put("more", "bytes");
            assertThat(larder("map", "get", map, "more")).isZero();
            assertThat(out()).isEqualTo("bytes\n");
            assertThat(larder("map", "info", map)).isZero();
            assertThat(out()).containsPattern("entries +101\n").containsPattern("since checkpoint bytes +\\d+ B\n");
            assertThat(out()).contains("\n  slot 0, pid " + held.pid() + ", since 20");
            assertThat(larder("map", "info", map, "--json")).isZero();
            assertThat(Figures.parse(out()).whole("since_checkpoint_bytes")).isPositive();
            assertThat(larder("map", "verify", map)).as(out() + err()).isZero();
            assertThat(larder("top", directory.toString(), "--once", "--interval", "10ms"))
                    .isZero();
            assertThat(out()).containsPattern("MAP +ENTRIES +INDEX").containsPattern("\nmap +101 +[.0-9]+ [KM]iB ");
        }
        assertThat(larder("map", "info", map, "--json")).isZero();
        assertThat(Figures.parse(out()).flag("current")).isFalse();
        assertThat(Figures.parse(out()).whole("entries")).isEqualTo(101);
        assertThat(Figures.parse(out()).whole("since_checkpoint_bytes")).isZero();
    }

    @Test
    void infoAndVerifyChangeNothing() throws IOException {
        fill(100);
        List<String> before = files();
        assertThat(larder("map", "info", map)).isZero();
        assertThat(larder("map", "verify", map, "--json")).isZero();
        Figures report = Figures.parse(out());
        assertThat(report.whole("entries")).isEqualTo(100);
        assertThat(report.whole("compared_records")).isEqualTo(100);
        assertThat(report.whole("live_bytes")).isBetween(100L * 24, 100L * 48);
        assertThat(files()).isEqualTo(before);
    }

    private List<String> files() throws IOException {
        try (var files = Files.walk(Path.of(map))) {
            return files.map(file -> file + " " + file.toFile().lastModified() + " "
                            + file.toFile().length())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void verifyNamesADamagedRecord() throws IOException {
        assertThat(larder("map", "create", map, "--integrity", "record")).isZero();
        fill(100);
        flip("*.seg", "value 57");
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).containsPattern("0000000000.seg: .*position 0:\\d+ fails its check");
    }

    @Test
    void repairMakesANewMapOfWhatIsSound() throws IOException {
        assertThat(larder("map", "create", map, "--integrity", "record")).isZero();
        fill(100);
        assertThat(larder("map", "put", map, "key 3", "later")).isZero();
        assertThat(larder("map", "remove", map, "key 4")).isZero();
        Codec<Trade> trades = Codec.records(Trade.class, MethodHandles.lookup());
        try (LarderMap<String, Trade> typed =
                LarderMap.open(Path.of(map), ValueCodec.texts(), trades, new MapArguments().options())) {
            typed.put("trade", new Trade("XY", 1.5));
        }
        flip("*.seg", "value 57");
        flip("*.seg", "later");
        Files.write(Path.of(map, "map.ctl"), new byte[0]);
        assertThat(larder("map", "repair", map, other, "--json")).isEqualTo(ExitCode.INVALID);
        Figures report = Figures.parse(out());
        assertThat(report.whole("entries")).isEqualTo(100 - 2 + 1);
        assertThat(report.whole("schemas")).isEqualTo(1);
        assertThat(String.valueOf(report.get("problems")))
                .containsPattern("0000000000.seg: .*position 0:\\d+, of \\d+ bytes, fails its check");
        assertThat(larder("map", "get", other, "key 57")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "get", other, "key 4")).isEqualTo(ExitCode.INVALID);
        assertThat(larder("map", "get", other, "key 3")).isZero();
        assertThat(out()).as("the value before the damaged one").isEqualTo("value 3\n");
        assertThat(larder("map", "get", other, "trade")).isZero();
        assertThat(out()).contains("XY");
        assertThat(larder("map", "verify", other)).isZero();
        assertThat(larder("map", "repair", other, map)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("is not empty; a repair makes a new map");
    }

    @Test
    void binaryExportNamesWhatItCannotTake() {
        create();
        assertThat(larder("map", "export", map, "--binary", "--values", "hex", "-k", "long"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("cannot be given with --keys, --values").hasLineCount(1);
    }

    @Test
    void compactGivesBackWhatWasOverwritten() {
        create();
        for (int i = 0; i < 30; i++) {
            fill(3000);
        }
        assertThat(larder("map", "compact", map, "--json")).isZero();
        Figures report = Figures.parse(out());
        assertThat(report.whole("entries")).isEqualTo(3000);
        assertThat(report.whole("live_bytes")).isBetween(3000L * 24, 3000L * 48);
        assertThat(report.whole("file_bytes")).isLessThan(report.whole("file_bytes_before"));
    }

    @Test
    void verifyNamesADamagedCheckpoint() throws IOException {
        fill(100);
        Path image = Path.of(map, "map.checkpoint");
        byte[] bytes = Files.readAllBytes(image);
        bytes[bytes.length / 2] ^= 1;
        Files.write(image, bytes);
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).containsPattern("map.checkpoint: step \\d+ at offset \\d+ fails its check");
        assertThat(larder("map", "scan", map)).isZero();
        assertThat(out()).contains("value 57");
        assertThat(larder("map", "verify", map)).as("made again").isZero();
    }

    @Test
    void verifyNamesADamagedMapFile() throws IOException {
        fill(10);
        Path file = Path.of(map, "map.ctl");
        byte[] bytes = Files.readAllBytes(file);
        bytes[70] ^= 1;
        Files.write(file, bytes);
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).contains("map.ctl");
    }

    @Test
    void verifyNoticesACheckpointThatLeavesEntriesOut() throws IOException {
        fill(100);
        Path image = Path.of(map, "map.checkpoint");
        byte[] ofHundred = Files.readAllBytes(image);
        assertThat(larder("map", "put", map, "one", "more")).isZero();
        byte[] newer = Files.readAllBytes(image);
        System.arraycopy(newer, 0, ofHundred, 0, 4096); // says that it knows one more
        Files.write(image, ofHundred);
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).containsPattern("the record at position 0:\\d+ is missing from the checkpoint");
    }

    @Test
    void verifyNoticesACheckpointThatLeadsBehindTheLog() throws IOException {
        fill(100);
        Path earlier = Files.createDirectory(directory.resolve("earlier"));
        copy(Path.of(map), earlier, "*.{seg,ctl}");
        assertThat(larder("map", "put", map, "one", "more")).isZero();
        copy(earlier, Path.of(map), "*.{seg,ctl}");
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).contains("map.checkpoint: the checkpoint is of another log or seed, or leads behind");
    }

    private static void copy(Path from, Path to, String glob) throws IOException {
        try (var files = Files.newDirectoryStream(from, glob)) {
            for (Path file : files) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Changes one byte of a text in its file. */
    private void flip(String glob, String text) throws IOException {
        try (var files = Files.newDirectoryStream(Path.of(map), glob)) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(file, bytes);
                }
            }
        }
    }

    @Test
    void saysInOneLineWhatWasWrong() {
        assertThat(larder("map", "info", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: there is no map in " + map + "; make one: larder map create " + map + "\n");
        assertThat(larder("queue", "create", other)).isZero();
        for (String command : List.of("info", "verify", "scan", "export")) {
            assertThat(larder("map", command, other)).isEqualTo(ExitCode.ERROR);
            assertThat(err()).contains("is it a queue's?").hasLineCount(1);
        }
        create();
        for (String arguments : List.of("repair Q T", "copy Q T", "export Q", "verify Q", "info Q", "import Q")) {
            String[] words = ("queue " + arguments.replace("Q", map).replace("T", directory + "/new")).split(" ", -1);
            assertThat(larder(words)).isEqualTo(ExitCode.ERROR);
            assertThat(err())
                    .contains("it holds a map")
                    .contains("larder map repair")
                    .hasLineCount(1);
        }
        assertThat(directory.resolve("new")).doesNotExist();
        assertThat(larder("map", "create", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("is not empty").hasLineCount(1);
        assertThat(larder("map", "put", map, "x", "1", "--values", "hex")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("the value '1' is no hex").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "map",
                "map get M",
                "map scan M -n -1",
                "map create M --segment 3MiB",
                "map get M k --keys stone",
                "map export M --binary --keys hex",
                "map export M --binary -w auto",
                "map export M --binary --json"
            })
    void refusesWhatItCannotUnderstandInOneLine(String arguments) {
        create();
        String[] words = arguments.replace("M", map).split(" ", -1);
        assertThat(larder(words)).isEqualTo(ExitCode.USAGE);
        assertThat(err().lines()).hasSize(1).allSatisfy(line -> assertThat(line).startsWith("larder: "));
        assertThat(out()).isEmpty();
    }
}
