package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRecords;
import dev.larder.log.ValueCodec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The map of {@code formats/map}, as an older release has written it: what is in it is what its {@code expected} says. */
final class GoldenMapTest {

    private static final Path GOLDEN =
            Path.of("../formats/map/v1/good").toAbsolutePath().normalize();
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    @TempDir
    Path directory;

    @BeforeEach
    void lay() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".txt")).toList()) {
                String name = file.getFileName().toString();
                lay(Files.readString(file), directory.resolve(name.substring(0, name.length() - ".txt".length())));
            }
        }
    }

    private static void lay(String text, Path to) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
            for (String line : text.lines().toList()) {
                if (line.startsWith("size ")) {
                    file.setLength(Long.parseLong(line.substring(5)));
                } else {
                    file.seek(Long.parseLong(line.substring(0, 8), 16));
                    file.write(HEX.parseHex(line.substring(10)));
                }
            }
        }
    }

    private static LogOptions options() {
        return TestMaps.options();
    }

    private static String entries(Map<byte[], byte[]> map) {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((key, value) ->
                sorted.put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value)));
        return sorted.entrySet().stream()
                .map(entry -> "entry " + entry.getKey() + " " + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private void check() throws IOException {
        try (LarderMap<byte[], byte[]> map =
                LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), options())) {
            assertThat(entries(map)).isEqualTo(Files.readString(GOLDEN.resolve("expected")));
        }
    }

    @Test
    void isReadFromItsImage() throws IOException {
        Epochs epochs = new Epochs();
        try (MapFile file = MapFile.open(directory, options());
                Log log = Log.open(directory, options());
                LogRecords records = log.records();
                IndexMemory memory = new IndexMemory(epochs)) {
            Places places = new Places(log.info().largestSegmentBytes(), records.firstSegment());
            Index index = new Index(records, places, new Directory(), memory);
            assertThat(new Checkpoint(log, options(), file.seed()).load(index, records))
                    .isPresent();
            assertThat(index.count())
                    .isEqualTo(Files.readAllLines(GOLDEN.resolve("expected")).size());
        }
        check();
    }

    @Test
    void isReadFromItsLog() throws IOException {
        Files.delete(directory.resolve(Checkpoint.FILE_NAME));
        check();
    }

    /** Writes the files of a map as text: how those of a version were made, once. */
    static void write(Path map, Path texts) throws IOException {
        Files.createDirectories(texts);
        for (String name : new String[] {"log.ctl", "0000000000.seg", MapFile.FILE_NAME, Checkpoint.FILE_NAME}) {
            Files.writeString(texts.resolve(name + ".txt"), text(Files.readAllBytes(map.resolve(name))));
        }
    }

    private static String text(byte[] file) {
        StringBuilder text = new StringBuilder("size " + file.length + "\n");
        for (int at = 0; at < file.length; at += 16) {
            byte[] line = java.util.Arrays.copyOfRange(file, at, Math.min(at + 16, file.length));
            if (!java.util.Arrays.equals(line, new byte[line.length])) {
                text.append(String.format(Locale.ROOT, "%08x  %s\n", at, HEX.formatHex(line)));
            }
        }
        return text.toString();
    }

    /** Makes the golden map anew where there is none: then look at it, and commit it. */
    static void make(Path map) {
        try (LarderMap<byte[], byte[]> made = LarderMap.open(map, ValueCodec.bytes(), ValueCodec.bytes(), options())) {
            for (int i = 0; i < 60; i++) {
                byte[] key = new byte[i % 20];
                java.util.Arrays.fill(key, (byte) i);
                made.put(key, new byte[] {(byte) i, (byte) (i * i)});
                if (i % 7 == 3) {
                    made.remove(key);
                }
            }
        }
        try (LarderMap<byte[], byte[]> made = LarderMap.open(map, ValueCodec.bytes(), ValueCodec.bytes(), options())) {
            Files.createDirectories(GOLDEN);
            Files.writeString(GOLDEN.resolve("expected"), entries(made));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Run by hand: makes the files of a new version. */
    public static void main(String[] arguments) throws IOException {
        Path map = Files.createTempDirectory("golden");
        make(map);
        write(map, GOLDEN);
    }
}
