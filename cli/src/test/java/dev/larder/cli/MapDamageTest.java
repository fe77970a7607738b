package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.entry.EntryText;
import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands verify and repair, on a sound map and on damaged ones. */
class MapDamageTest extends MapShell {

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
        String[] types = {"--keys", "text", "--values", "bytes"};
        assertThat(larder("map", "create", map, "--integrity", "record", "--values", "bytes"))
                .isZero();
        fill(100);
        assertThat(larder("map", "put", map, "key 3", "later")).isZero();
        assertThat(larder("map", "remove", map, "key 4")).isZero();
        LogOptions options = LogOptions.defaults().withPrepareBytes(0);
        try (LarderMap<String, byte[]> typed =
                LarderMap.open(Path.of(map), ValueCodec.texts(), ValueCodec.bytes(), options)) {
            ValueCodec<Trade> trades = Codec.records(Trade.class, MethodHandles.lookup())
                    .in(EntryText.codecFolder(Path.of(map), options), true);
            Trade trade = new Trade("XY", 1.5);
            byte[] bytes = new byte[trades.lengthBytes(trade)];
            trades.write(trade, MemorySegment.ofArray(bytes), 0, bytes.length);
            typed.put("trade", bytes);
        }
        flip("*.seg", "value 57");
        flip("*.seg", "later");
        Files.write(Path.of(map, "map.ctl"), new byte[0]);
        assertThat(larder("map", "repair", map, other)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("cannot read the names of the map's codecs").contains("map.ctl");
        assertThat(larder("map", "repair", map, other, "--json", types[0], types[1], types[2], types[3]))
                .isEqualTo(ExitCode.INVALID);
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
    void verifyNoticesAHeaderThatIsNewerThanThePages() throws IOException {
        fill(100);
        Path image = Path.of(map, "map.checkpoint");
        byte[] ofHundred = Files.readAllBytes(image);
        assertThat(larder("map", "put", map, "one", "more")).isZero();
        byte[] newer = Files.readAllBytes(image);
        System.arraycopy(newer, 0, ofHundred, 0, 4096); // the header claims one more entry
        Files.write(image, ofHundred);
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).contains("step 0 at offset 4096 fails its check");
    }

    @Test
    void verifyNoticesACheckpointThatLeadsBehindTheLog() throws IOException {
        fill(100);
        Path earlier = Files.createDirectory(directory.resolve("earlier"));
        copy(Path.of(map), earlier, "*.{seg,ctl}");
        assertThat(larder("map", "put", map, "one", "more")).isZero();
        copy(earlier, Path.of(map), "*.{seg,ctl}");
        assertThat(larder("map", "verify", map)).isEqualTo(ExitCode.INVALID);
        assertThat(out()).contains("map.checkpoint: the checkpoint is of another log or seed, or points past");
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
}
