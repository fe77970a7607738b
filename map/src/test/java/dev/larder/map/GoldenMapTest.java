package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.checkpoint.CheckedPages;
import dev.larder.map.checkpoint.CheckpointReader;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The map of {@code formats/map}, as an older release has written it: it has the content that its {@code expected} says. */
final class GoldenMapTest {

    private static final Path GOLDEN =
            Path.of("../formats/map/v1").toAbsolutePath().normalize();

    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    /** The time at which some of its entries expire. The clock of this test stands before it. */
    private static final Instant EXPIRY = Instant.parse("2030-01-01T00:00:00Z");

    /** The lifetime of the map made with one. Its entries without an own time expire 1 ms after {@link #EXPIRY}. */
    private static final Lifetime LIFETIME = Lifetime.sinceUse(Duration.ofSeconds(48));

    @TempDir
    Path directory;

    private void lay(Path golden) throws IOException {
        try (Stream<Path> files = Files.list(golden)) {
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
        return HookedOptions.withStorage(TestMaps.options(), clock());
    }

    private static StoppedClock clock() {
        return new StoppedClock(EXPIRY.minusSeconds(60).toEpochMilli());
    }

    private static String entries(LarderMap<byte[], byte[]> map) {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((key, value) -> {
            String expires = map.expiry(key).map(when -> " " + when).orElse("");
            sorted.put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value) + expires);
        });
        return sorted.entrySet().stream()
                .map(entry -> "entry " + entry.getKey() + " " + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private void check(Path golden) throws IOException {
        try (LarderMap<byte[], byte[]> map =
                LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), options())) {
            assertThat(entries(map)).isEqualTo(Files.readString(golden.resolve("expected")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "good-expiring", "good-idle"})
    void isReadFromItsImage(String name) throws IOException {
        Path golden = GOLDEN.resolve(name);
        lay(golden);
        try (MapFile file = MapFile.open(directory, options(), new MapTypes("bytes", "bytes"));
                Log log = Log.open(directory, HookedOptions.with(options(), doors -> doors.withLinked(true)));
                Arena arena = Arena.ofShared()) {
            CheckpointReader image = CheckpointReader.of(directory, SystemStorage.system(), arena)
                    .orElseThrow();
            image.requireRows();
            assertThat(image.isOf(log.info().identity(), log.endPosition())).isTrue();
            assertThat(image.seed()).isEqualTo(file.seed());
            List<String> problems = new ArrayList<>();
            new CheckedPages(image, problems::add);
            assertThat(problems).isEmpty();
            assertThat(image.entries())
                    .isEqualTo(Files.readAllLines(golden.resolve("expected")).size());
        }
        check(golden);
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "good-expiring", "good-idle"})
    void isReadFromItsLog(String name) throws IOException {
        Path golden = GOLDEN.resolve(name);
        lay(golden);
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        check(golden);
    }

    /** Entries that were put with a time of their own keep it when they are used; the others do not. */
    @Test
    void isProlongedByUseWhereItsTimeIsOneSinceUse() throws IOException {
        Path golden = GOLDEN.resolve("good-idle");
        lay(golden);
        StoppedClock clock = clock();
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), clock))
                .withLifetime(LIFETIME);
        try (LarderMap<byte[], byte[]> map =
                LarderMap.open(directory, ValueCodec.bytes(), ValueCodec.bytes(), options)) {
            clock.pass(50_000);
            List<byte[]> keys = List.copyOf(map.keySet());
            keys.forEach(map::get);
            clock.pass(11_000);
            long kept = keys.stream().filter(map::containsKey).count();
            assertThat(kept).isPositive().isLessThan(keys.size());
            assertThat(kept)
                    .isEqualTo(Files.readString(golden.resolve("expected")).split("00:00:00.001Z", -1).length - 1);
        }
    }

    /** Writes the files of a map as text. The files of a version were made so, once. */
    static void write(Path map, Path texts) throws IOException {
        Files.createDirectories(texts);
        for (String name : new String[] {"log.ctl", "0000000000.seg", MapFile.FILE_NAME, CheckpointLayout.FILE_NAME}) {
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

    /** Makes the golden map anew where there is none. Look at it then, and commit it. */
    static void make(Path map, Path golden) {
        MapOptions idle = MapOptions.defaults().withLog(options()).withLifetime(LIFETIME);
        try (LarderMap<byte[], byte[]> made = LarderMap.open(map, ValueCodec.bytes(), ValueCodec.bytes(), idle)) {
            for (int i = 0; i < 60; i++) {
                byte[] key = new byte[i % 20];
                java.util.Arrays.fill(key, (byte) i);
                byte[] value = {(byte) i, (byte) (i * i)};
                if (i % 9 == 5) {
                    made.set(key, value, Duration.ofSeconds(60));
                } else {
                    made.put(key, value);
                }
                if (i % 7 == 3) {
                    made.remove(key);
                }
            }
        }
        try (LarderMap<byte[], byte[]> made = LarderMap.open(map, ValueCodec.bytes(), ValueCodec.bytes(), options())) {
            Files.createDirectories(golden);
            Files.writeString(golden.resolve("expected"), entries(made));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Run by hand: makes the files of a new version. */
    public static void main(String[] arguments) throws IOException {
        Path map = Files.createTempDirectory("golden");
        Path golden = GOLDEN.resolve("good-idle");
        make(map, golden);
        write(map, golden);
    }
}
