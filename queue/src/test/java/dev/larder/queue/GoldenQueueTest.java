package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Schema;
import dev.larder.codec.schema.SchemaFile;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.tests.support.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in {@code formats/queue}: every later release reads them as they state, and writes them as they are. */
final class GoldenQueueTest {

    private static final Path FORMATS =
            Path.of("../formats/queue").toAbsolutePath().normalize();

    /** The folder of the newest good file of each name. */
    private static final Map<String, Path> GOOD = Map.of(
            "00000001.schema",
            FORMATS.resolve("v1/good"),
            "00000002.schema",
            FORMATS.resolve("v1/good"),
            CopyPlace.FILE_NAME,
            FORMATS.resolve("v2/good"));

    private static final UUID SOURCE = new UUID(0x0011_2233_4455_4677L, 0x8899_AABB_CCDD_EEFFL);

    /** Names beyond ASCII, all kinds of definitions, and types within types. */
    private static final Schema SAMPLE = new Schema("""
        record Größe
         tag byte
         count int
         name text
         legs map text list record Leg
         none optional int
        record Leg
         quantity int
         side enum Side
        enum Side
         BUY
         SELL
        """);

    private static final Schema CALL = new Schema("""
        method placed
         symbol text
         price double
        """);

    @TempDir
    Path directory;

    static Stream<Path> folders() throws IOException {
        try (Stream<Path> found = Files.walk(FORMATS)) {
            return found.filter(path -> path.endsWith("expected")).map(Path::getParent).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void readsWhatIsExpected(Path golden) throws IOException {
        GoldenFile.restore(golden, directory);
        String expected = Files.readString(golden.resolve("expected"));
        assertThat(found()).as("%s, as this release reads it", golden).isEqualTo(expected);
    }

    @Test
    void writesTheSameBytes() throws IOException {
        write();
        Path kept = Files.createDirectories(Path.of("target/formats/queue").toAbsolutePath());
        List<String> changed = new ArrayList<>();
        for (String name : GOOD.keySet()) {
            String written = GoldenFile.text(Files.readAllBytes(directory.resolve(name)), comments(name));
            Files.writeString(kept.resolve(name + ".hex"), written);
            Path golden = GOOD.getOrDefault(name, FORMATS).resolve(name + ".hex");
            if (!Files.exists(golden) || !Files.readString(golden).equals(written)) {
                changed.add(name);
            }
        }
        Files.writeString(kept.resolve("expected"), found());
        assertThat(changed)
                .as(
                        "Files of %s that this release writes otherwise. A change of the format that is not meant is a"
                            + " bug. One that is meant raises the version, keeps this folder, and adds a new one: what"
                            + " was written just now lies in %s",
                        FORMATS, kept)
                .isEmpty();
    }

    private void write() {
        Schemas schemas = new Schemas(LarderQueue.folderOf(directory, TestQueues.options()));
        assertThat(schemas.numberOf(SAMPLE)).isEqualTo(1);
        assertThat(schemas.numberOf(CALL)).isEqualTo(2);
        CopyPlace.create(directory, SOURCE, TestQueues.options());
        try (CopyPlace place = CopyPlace.open(directory, storage()).orElseThrow()) {
            place.begin(100);
            place.set(Position.of(3, 16384), 2100, 2000);
            place.set(Position.of(4, 8192), 3000, 2900);
        }
    }

    private static Storage storage() {
        return HookedOptions.of(TestQueues.options()).storage();
    }

    private static Map<Long, String> comments(String name) {
        return name.equals("copy.place")
                ? Map.of(0L, "common header", 64L, "the source's identity", 80L, "place A", 144L, "place B")
                : Map.of(0L, "common header", 64L, "number, length and check of the text", 80L, "text");
    }

    private String found() {
        StringBuilder found = new StringBuilder();
        storage().list(directory).stream().sorted().forEach(name -> {
            int number = SchemaFile.numberOf(name);
            if (number > 0) {
                found.append("schema ").append(number).append(orError(() -> schema(number)));
            } else if (name.equals(CopyPlace.FILE_NAME)) {
                found.append("copy").append(orError(this::place));
            }
        });
        return found.toString();
    }

    private String orError(Supplier<String> reading) {
        try {
            return reading.get();
        } catch (LarderException e) {
            assertThat(e).hasMessageContaining(directory.toString());
            return ": " + e.getClass().getSimpleName() + "\n";
        }
    }

    private String schema(int number) {
        Schema schema = SchemaFile.read(directory, number, storage()).orElseThrow();
        return "\n" + schema.text().lines().map(line -> "| " + line + "\n").reduce("", String::concat);
    }

    private String place() {
        try (CopyPlace copy = CopyPlace.open(directory, storage()).orElseThrow()) {
            CopyPlace.Place place = copy.place();
            return " of " + copy.identity()
                    + (place.counter() == 0
                            ? ", nothing yet\n"
                            : ", place " + place.counter() + ": " + Position.toString(place.source()) + ", "
                                    + place.sourceSequence() + " is " + place.targetSequence() + "\n");
        }
    }
}
