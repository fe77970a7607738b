package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.entry.EntryStream;
import dev.larder.cli.map.EntryImport;
import dev.larder.cli.map.MapArguments;
import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.memory.LarderException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Exports and imports of maps, as a shell runs them. */
class MapMovementTest extends MapShell {

    /** Holds a record as an earlier release of the program wrote it, with another schema. */
    private static final class Older {
        record Trade(int number) {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"--binary", "--json", "--values=hex", "--values=base64"})
    void carriesTypedValuesIntoAMapThatHasSchemasOfItsOwn(String form) {
        try (LarderMap<Long, Trade> trades = trades(map)) {
            trades.put(7L, new Trade("XY", Double.NaN));
            trades.put(8L, new Trade("YZ", 2));
        }
        try (LarderMap<Long, Older.Trade> others = LarderMap.open(
                Path.of(other), ValueCodec.longs(), Codec.records(Older.Trade.class, MethodHandles.lookup()))) {
            others.put(1L, new Older.Trade(1));
        }
        assertThat(larder("map", "export", map, form)).isZero();
        String kind = form.equals("--binary") ? "--binary" : "--json";
        assertThat(larder(answer(), "map", "import", other, kind)).isZero();
        try (LarderMap<Long, Trade> trades = trades(other)) {
            assertThat(trades.get(7L)).isEqualTo(new Trade("XY", Double.NaN));
            assertThat(trades.get(8L)).isEqualTo(new Trade("YZ", 2));
        }
    }

    @Test
    void writesAndReadsEveryForm() {
        createBytes();
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
        assertThat(larder(answer(), "map", "import", other)).isZero();
        assertThat(larder("map", "scan", map, "-w", "hex")).isZero();
        List<String> before = sortedLines();
        assertThat(larder("map", "scan", other, "-w", "hex")).isZero();
        assertThat(sortedLines()).isEqualTo(before).hasSize(forms.size());
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
        assertThat(larder("map", "export", map, form)).isZero();
        assertThat(larder(answer(), "map", "import", other, form)).isZero();
        assertThat(out()).containsPattern("put\\W+2\\b");
        assertThat(larder("map", "get", other, "flour", "--json")).isZero();
        assertThat(Figures.parse(out()).text("expires")).isEqualTo(expires);
        assertThat(larder("map", "get", other, "salt", "--json")).isZero();
        assertThat(Figures.parse(out()).names()).doesNotContain("expires");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--binary", "--json"})
    void leavesOutWhatHasExpiredSinceItWasExported(String form) throws IOException {
        create();
        assertThat(larder(expiredMilk(form), "map", "import", map, form)).isZero();
        assertThat(out()).containsPattern("put\\W+0\\b").contains("expired");
        assertThat(larder("map", "get", map, "milk")).isEqualTo(ExitCode.INVALID);
    }

    private static byte[] expiredMilk(String form) throws IOException {
        Instant past = Instant.parse("2020-01-01T00:00:00Z");
        if (form.equals("--json")) {
            String line = "{\"key\":{\"text\":\"milk\"},\"value\":{\"text\":\"2\"},\"expires\":\"" + past + "\"}\n";
            return line.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream export = new ByteArrayOutputStream();
        EntryStream.begin(export);
        byte[] milk = "milk".getBytes(StandardCharsets.UTF_8);
        EntryStream.writeEntry(export, milk, new byte[] {'2'}, Optional.of(past));
        EntryStream.write(export, EntryStream.END, new byte[0], new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
        return export.toByteArray();
    }

    /** Two exports that were joined look like one with bytes after its end. */
    @Test
    void refusesBytesAfterTheEndOfAnExport() {
        fill(3);
        assertThat(larder("map", "export", map, "--binary")).isZero();
        byte[] export = answer();
        byte[] twice = Arrays.copyOf(export, 2 * export.length);
        System.arraycopy(export, 0, twice, export.length, export.length);
        assertThat(larder(twice, "map", "import", other, "--binary")).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: the standard input: more bytes follow the end mark, at byte " + export.length
                        + "; the entries before it are put. Import each export by itself\n");
        assertThat(larder("map", "scan", other)).isZero();
        assertThat(sortedLines()).hasSize(3);
    }

    /** The system creates files that others may read, and the files of the map are the owner's alone. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void anExportIsItsOwnersAlone() throws IOException {
        fill(3);
        for (String form : new String[] {"--binary", "--json"}) {
            Path file = directory.resolve("export" + form);
            assertThat(larder("map", "export", map, form, "--to", file.toString()))
                    .isZero();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void namesTheLineOrFrameWhoseTimeIsTooFar() throws IOException {
        create();
        Instant far = Instant.now().plus(Duration.ofDays(40 * 365));
        String line = "{\"key\":{\"text\":\"milk\"},\"value\":{\"text\":\"2\"}";
        String lines = line + "}\n" + line + ",\"expires\":\"" + far + "\"}\n";
        assertThat(larder(typed(lines), "map", "import", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .startsWith("larder: the standard input: line 2 could not be put: ")
                .endsWith("; 1 entry put before it\n")
                .hasLineCount(1);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        EntryStream.begin(stream);
        EntryStream.writeEntry(stream, typed("milk"), typed("2"), Optional.empty());
        EntryStream.writeEntry(stream, typed("milk"), typed("2"), Optional.of(far));
        assertThat(larder(stream.toByteArray(), "map", "import", map, "--binary"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .startsWith("larder: the standard input: frame 1 could not be put: ")
                .endsWith("; 1 entry put before it\n")
                .hasLineCount(1);
    }

    @Test
    void saysWhyAFileCannotBeWrittenOrRead() {
        fill(1);
        Path missing = directory.resolve("missing/export");
        assertThat(larder("map", "export", map, "--to", missing.toString())).isEqualTo(ExitCode.ERROR);
        assertThat(err()).isEqualTo("larder: cannot write the export: " + missing + ": no such file or directory\n");
        assertThat(larder("map", "import", other, "--from", directory.toString()))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).startsWith("larder: cannot read the export: ").hasLineCount(1);
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
        assertThat(larder(typed("{}"), "map", "import", other, "--binary")).isEqualTo(ExitCode.ERROR);
        String lines = "{\"key\":{\"text\":\"a\"},\"value\":{\"text\":\"b\"}}\n{\"key\":3}\n";
        assertThat(larder(typed(lines), "map", "import", other)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 2 is not an entry").contains("1 entry put before it");
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
                .contains("line 3 is not an entry")
                .contains("1 entry put before it")
                .doesNotContain("Source")
                .hasLineCount(1);
        assertThat(larder("map", "scan", other)).isZero();
        assertThat(out()).isEqualTo("a\tb\n");
    }

    @Test
    void importsNoSchemaNumberThatIsTooLarge() {
        String schema = "{\"schema\":1,\"text\":\"record Leg\\n quantity int\\n\"}\n";
        String entry = "{\"key\":{\"text\":\"a\"},\"value\":{\"schema\":4294967297,\"value\":{\"quantity\":1}}}\n";
        assertThat(larder(typed(schema + entry), "map", "import", other)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 2 is not an entry: 4294967297 is not the number of a schema");
        String wrong = schema.replace("1", "4294967297");
        assertThat(larder(typed(wrong), "map", "import", other)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("line 1 is not an entry: 4294967297 is not the number of a schema");
    }

    @Test
    void doesNotBlameALineForWhatTheMapRefuses() {
        create();
        MapArguments arguments = CommandLine.populateCommand(new MapArguments(), map);
        EntryImport.Opener closed = exported -> {
            LarderMap<byte[], byte[]> open = arguments.open().map();
            open.close();
            return open;
        };
        EntryImport entries = new EntryImport(arguments, closed, "the export");
        byte[] line = typed("{\"key\":{\"text\":\"a\"},\"value\":{\"text\":\"b\"}}");
        assertThatThrownBy(() -> entries.readLines(new ByteArrayInputStream(line)))
                .isInstanceOf(LarderException.class)
                .hasMessageStartingWith("the export: line 1 could not be put: ")
                .hasMessageEndingWith("; 0 entries put before it");
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
        assertThat(larder(answer(), "map", "import", other)).isZero();
        assertThat(larder("map", "scan", map, "-k", "hex", "-w", "hex")).isZero();
        String before = out();
        assertThat(larder("map", "scan", other, "-k", "hex", "-w", "hex")).isZero();
        assertThat(out()).isEqualTo(before).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--binary", "--json"})
    void makesAMapOfTheTypesThatWereExported(String form) {
        assertThat(larder("map", "create", map, "-k", "long", "-w", "example.com/point"))
                .isZero();
        assertThat(larder("map", "put", map, "7", "41", "-w", "hex")).isZero();
        assertThat(larder("map", "export", map, form)).isZero();
        byte[] export = answer();
        assertThat(larder(export, "map", "import", other, form)).isZero();
        assertThat(larder("map", "scan", other)).isZero();
        assertThat(out()).isEqualTo("7\tA\n");
        assertThat(larder("map", "info", other, "--json")).isZero();
        assertThat(Figures.parse(out()).text("key_codec")).isEqualTo("long");
        assertThat(Figures.parse(out()).text("value_codec")).isEqualTo("example.com/point");
        String third = directory.resolve("third").toString();
        assertThat(larder("map", "create", third, "-k", "double", "-w", "example.com/point"))
                .isZero();
        assertThat(larder(export, "map", "import", third, form)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: the map stores keys double and values example.com/point, but the export has keys"
                        + " long and values example.com/point\n");
        assertThat(larder(export, "map", "import", third, form, "-k", "long")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("the map stores keys double").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":{\"long\":7},\"value\":{\"text\":\"b\"}}",
                "{\"key\":{\"int\":7},\"value\":{\"double\":1}}",
                "{\"key\":{\"text\":\"12345678\"},\"value\":{\"double\":1}}",
                "{\"key\":{\"hex\":\"07\"},\"value\":{\"double\":1}}",
                "{\"key\":{\"base64\":\"\"},\"value\":{\"double\":1}}"
            })
    void refusesALineThatTheCodecsOfTheMapDoNotStore(String line) {
        String good = "{\"key\":{\"long\":1},\"value\":{\"double\":1}}\n";
        assertThat(larder(typed(good + line), "map", "import", map, "-k", "long", "-w", "double"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("line 2 is not an entry", "1 entry put before it")
                .containsAnyOf("the codec long", "the codec double")
                .hasLineCount(1);
        assertThat(larder("map", "scan", map)).isZero();
        assertThat(out()).isEqualTo("1\t1.0\n");
    }

    @Test
    void binaryExportNamesWhatItCannotTake() {
        create();
        assertThat(larder("map", "export", map, "--binary", "--values", "hex", "-k", "long"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("cannot be given with --keys, --values").hasLineCount(1);
    }
}
