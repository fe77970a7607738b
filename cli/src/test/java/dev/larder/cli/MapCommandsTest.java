package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of maps, as a shell runs them. */
class MapCommandsTest extends MapShell {

    @Test
    void createsPutsGetsAndRemoves() {
        create();
        assertThat(out()).isEqualTo("created " + map + ": keys text and values text\n");
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
        createBytes();
        byte[] bytes = {0, (byte) 0xff, '\n', 3};
        assertThat(larder(bytes, "map", "put", map, "bytes")).isZero();
        assertThat(larder("map", "get", map, "bytes")).isZero();
        assertThat(Arrays.copyOf(answer(), bytes.length)).isEqualTo(bytes);
        assertThat(larder("map", "get", map, "bytes", "--values", "hex")).isZero();
        assertThat(out()).isEqualTo("00ff0a03\n");
        assertThat(larder("map", "get", map, "bytes", "--values", "int")).isZero();
        assertThat(out()).isEqualTo(0x030aff00 + "\n");
        assertThat(larder("map", "get", map, "bytes", "--values", "long")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("a value of 4 bytes is not a valid long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void takesTheValueFromTheInputAsValuesSays(String end) {
        createBytes();
        byte[] number = typed("9000000000" + end);
        assertThat(larder(number, "map", "put", map, "flour", "--values", "long"))
                .isZero();
        assertThat(larder("map", "get", map, "flour", "--values", "hex")).isZero();
        assertThat(out()).isEqualTo("001a711802000000\n");
        byte[] text = typed("two\n" + end);
        assertThat(larder(text, "map", "put", map, "flour", "--values", "text")).isZero();
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(out()).isEqualTo(end.isEmpty() ? "two\n" : "two\n\n");
        assertThat(larder(new byte[] {(byte) 0xff}, "map", "put", map, "flour", "--values", "text"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("the standard input is not UTF-8").hasLineCount(1);
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
        assertThat(larder(typed(line), "map", "import", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("line 1 could not be put: the key has 65536 bytes; the most are 65535")
                .hasLineCount(1);
    }

    @Test
    void changesWhatDoesNotFitTheFormOfWhatIsPut() {
        createBytes();
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
        try (LarderMap<Long, Trade> trades = trades(map)) {
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
        try (LarderMap<Long, Trade> trades = trades(map)) {
            assertThat(trades.get(8L)).isEqualTo(new Trade("ZZ", 3));
        }
    }

    @Test
    void takesFormsFromTheCodecsOfTheMap() {
        assertThat(larder("map", "create", map, "--keys", "long", "--values", "double"))
                .isZero();
        assertThat(out()).isEqualTo("created " + map + ": keys long and values double\n");
        assertThat(larder("map", "put", map, "7", "2.5")).isZero();
        assertThat(larder(typed("3.5\n"), "map", "put", map, "8")).isZero();
        assertThat(larder("map", "get", map, "7")).isZero();
        assertThat(out()).isEqualTo("2.5\n");
        assertThat(larder("map", "get", map, "8", "--values", "hex")).isZero();
        assertThat(out()).isEqualTo("0000000000000c40\n");
        assertThat(larder("map", "scan", map)).isZero();
        assertThat(sortedLines()).containsExactly("7\t2.5", "8\t3.5");
        assertThat(larder("map", "info", map, "--json")).isZero();
        assertThat(Figures.parse(out()).text("value_codec")).isEqualTo("double");
        try (LarderMap<Long, Double> numbers = LarderMap.open(Path.of(map), ValueCodec.longs(), ValueCodec.doubles())) {
            assertThat(numbers).containsOnly(Map.entry(7L, 2.5), Map.entry(8L, 3.5));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "map put M 7 2 --keys int",
                "map put M 7 2 --values text",
                "map put M seven 2",
                "map put M 0x07 2 --keys hex",
                "map put M 7 ff --values hex",
                "map get M 7 --keys text",
                "map remove M 7 --values record",
                "map scan M --values long",
                "map export M --keys text"
            })
    void refusesWhatTheCodecsOfTheMapDoNotStore(String arguments) {
        assertThat(larder("map", "create", map, "--keys", "long", "--values", "double"))
                .isZero();
        assertThat(larder(arguments.replace("M", map).split(" ", -1))).isEqualTo(ExitCode.ERROR);
        assertThat(err()).hasLineCount(1).containsAnyOf("the codec long", "the codec double", "is not a valid long");
        assertThat(larder("map", "info", map, "--json")).isZero();
        assertThat(Figures.parse(out()).whole("entries")).isZero();
    }

    @Test
    void putsTextThatIsUtf8() {
        create();
        assertThat(larder(new byte[] {(byte) 0xff}, "map", "put", map, "flour")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("values have the codec text").hasLineCount(1);
        assertThat(larder("map", "put", map, "flour", "ff", "--values", "hex")).isEqualTo(ExitCode.ERROR);
        assertThat(larder("map", "put", map, "flour", "3132", "--values", "hex"))
                .isZero();
        assertThat(larder("map", "get", map, "flour")).isZero();
        assertThat(out()).isEqualTo("12\n");
    }

    @Test
    void takesTheBytesOfACodecThatItDoesNotKnow() {
        assertThat(larder("map", "create", map, "--values", "example.com/point"))
                .isZero();
        assertThat(larder("map", "put", map, "here", "12")).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .contains("example.com/point", "--values hex or base64")
                .hasLineCount(1);
        assertThat(larder("map", "put", map, "here", "0102", "--values", "hex")).isZero();
        assertThat(larder(new byte[] {3, 4}, "map", "put", map, "there")).isZero();
        assertThat(larder("map", "get", map, "there")).isZero();
        assertThat(Arrays.copyOf(answer(), 2)).isEqualTo(new byte[] {3, 4});
    }

    @Test
    void putsRecordsOfTheNameThatTheMapStores() {
        try (LarderMap<Long, Trade> trades = trades(map)) {
            trades.put(7L, new Trade("XY", 1.5));
        }
        assertThat(larder("map", "put", map, "8", "Trade {\"symbol\":\"ZZ\",\"price\":3}"))
                .isZero();
        assertThat(larder("map", "put", map, "9", "fd02000001", "--values", "hex"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("the codec record:Trade").hasLineCount(1);
        try (LarderMap<Long, Trade> trades = trades(map)) {
            assertThat(trades.get(8L)).isEqualTo(new Trade("ZZ", 3));
        }
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
    void saysInOneLineWhatWasWrong() {
        assertThat(larder("map", "info", map)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .isEqualTo("larder: there is no map in " + map + "; make one: larder map create " + map + "\n");
        assertThat(larder("queue", "create", other)).isZero();
        for (String command : List.of("info", "verify", "scan", "export")) {
            assertThat(larder("map", command, other)).isEqualTo(ExitCode.ERROR);
            assertThat(err())
                    .contains("it has no map.ctl, but may hold a queue")
                    .hasLineCount(1);
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
        assertThat(err()).contains("the value '1' is not a valid hex").hasLineCount(1);
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
