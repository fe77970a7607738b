package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.TypedValue;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.LarderException;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The schemas of a queue: each written once, whole or not at all, and never lost. */
@Timeout(300)
final class SchemasTest {

    @TempDir
    Path directory;

    private Schemas schemas() {
        return new Schemas(LarderQueue.folderOf(directory, TestQueues.options()));
    }

    private static Schema schema(int which) {
        return new Schema("record R" + which + "\n number int\n");
    }

    @Test
    void givesEachSchemaOneNumber() {
        Schemas schemas = schemas();
        assertThat(schemas.numberOf(schema(1))).isEqualTo(1);
        assertThat(schemas.numberOf(schema(2))).isEqualTo(2);
        assertThat(schemas.numberOf(schema(1))).isEqualTo(1);
        assertThat(schemas().numberOf(schema(2))).isEqualTo(2);
        assertThat(schemas().all()).isEqualTo(Map.of(1, schema(1), 2, schema(2)));
        assertThat(schemas().get(3)).isEmpty();
    }

    @Test
    void agreesWithOthersThatWriteAtTheSameTime() throws Exception {
        Set<Integer> numbers = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Integer>> found = threads
                    .invokeAll(IntStream.range(0, 40)
                            .mapToObj(i -> (java.util.concurrent.Callable<Integer>)
                                    () -> schemas().numberOf(schema(i % 5)))
                            .toList())
                    .stream()
                    .toList();
            for (Future<Integer> number : found) {
                numbers.add(number.get());
            }
        }
        assertThat(numbers).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
        assertThat(new HashSet<>(schemas().all().values())).hasSize(5);
    }

    /** While an append looks up a number, it is between claim and commit, and other appends are behind it. */
    @Test
    void looksForTheNumberOfAValuesSchemaOnce() {
        FaultyStorage storage =
                new FaultyStorage(HookedOptions.of(TestQueues.options()).storage());
        try (LarderQueue queue = LarderQueue.open(directory, HookedOptions.withStorage(TestQueues.options(), storage));
                TypedAppender<TypedValue> appender = queue.appender(Codec.values())) {
            appender.append(new TypedValue(schema(1), Map.of("number", 0)));
            long before = storage.count(StorageCall.LIST) + storage.count(StorageCall.SYNC_DIRECTORY);
            for (int number = 1; number < 1000; number++) {
                appender.append(new TypedValue(schema(1), Map.of("number", number)));
            }
            appender.append(new TypedValue(schema(2), Map.of("number", 7)));
            assertThat(storage.count(StorageCall.LIST) + storage.count(StorageCall.SYNC_DIRECTORY) - before)
                    .isLessThan(20);
        }
        assertThat(schemas().all()).isEqualTo(Map.of(1, schema(1), 2, schema(2)));
    }

    /** A name with a number that no message can name is no schema's: it once took all numbers from the others. */
    @Test
    void overlooksAFileWhoseNumberNoMessageCanName() throws IOException {
        schemas().numberOf(schema(1));
        Files.copy(directory.resolve("00000001.schema"), directory.resolve("99999999.schema"));
        Files.copy(directory.resolve("00000001.schema"), directory.resolve("00000000.schema"));
        assertThat(schemas().numberOf(schema(2))).isEqualTo(2);
        assertThat(schemas().all()).containsOnlyKeys(1, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> schemas().add(0, schema(3)));
    }

    record Pair(long first, long second) {}

    /** A batch binds its codec anew. A program may make one for a few values, so that must not read the directory each time. */
    @Test
    void looksForTheNumbersOfABatchesSchemasOnce() {
        FaultyStorage storage =
                new FaultyStorage(HookedOptions.of(TestQueues.options()).storage());
        try (LarderQueue queue = LarderQueue.open(directory, HookedOptions.withStorage(TestQueues.options(), storage));
                TypedAppender<Pair> appender = queue.appender(Codec.records(Pair.class))) {
            long before = storage.count(StorageCall.LIST) + storage.count(StorageCall.SYNC_DIRECTORY);
            for (int number = 0; number < 100; number++) {
                try (TypedBatch<Pair> batch = appender.batch()) {
                    batch.add(new Pair(number, number));
                }
            }
            assertThat(storage.count(StorageCall.LIST) + storage.count(StorageCall.SYNC_DIRECTORY) - before)
                    .isLessThan(20);
            assertThat(queue.info().messages()).hasValue(100);
        }
    }

    @Test
    void removesWhatAKilledProcessHasLeft() throws IOException {
        Files.createFile(directory.resolve("schema-12ab.tmp"));
        schemas().numberOf(schema(1));
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void refusesFilesThatAreNotWhatWasWritten() throws IOException {
        schemas().numberOf(schema(1));
        Path file = directory.resolve("00000001.schema");
        byte[] sound = Files.readAllBytes(file);
        for (int at = 0; at < sound.length; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= 0x20;
            Files.write(file, damaged);
            assertThatThrownBy(() -> schemas().get(1))
                    .as("byte %d", at)
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining(file.toString());
        }
        Files.write(file, java.util.Arrays.copyOf(sound, sound.length - 1));
        assertThatThrownBy(() -> schemas().get(1)).isInstanceOf(TruncatedException.class);
        Files.write(file, java.util.Arrays.copyOf(sound, 70));
        assertThatThrownBy(() -> schemas().get(1)).isInstanceOf(TruncatedException.class);
        Files.writeString(
                file, "something else, and long enough to be a header of one of our own files, if it were one");
        assertThatThrownBy(() -> schemas().get(1)).isInstanceOf(ForeignFileException.class);
        Files.write(directory.resolve("00000002.schema"), sound);
        assertThatThrownBy(() -> schemas().get(2))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("another number");
    }
}
