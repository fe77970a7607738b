package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.schema.SchemaFile;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Power losses while schemas are written, and while a queue is copied: each remaining message has its schema, and a copy
 * continues where it stands.
 */
@Timeout(600)
@Tag("in-memory")
final class QueuePowerLossTest {

    private static final int SEEDS = Effort.of(10, 30, 300);
    private static final Path QUEUE = Path.of("/", "power", "queue");
    private static final Path COPY = Path.of("/", "power", "copy");

    record First(String name) {}

    record Second(int number, String name) {}

    record Third(double price) {}

    record Fourth(long after) {}

    /** A possible content of the disk, and how many messages a sync had made durable by then. */
    private record Image(PowerLossStorage storage, int durable) {}

    private static LogOptions options(Storage storage) {
        return HookedOptions.withStorage(TestQueues.options(), storage);
    }

    /** Takes images at random steps while messages of ever more schemas are appended. */
    private static List<Image> write(PowerLossStorage power, Storage storage, SplittableRandom random) {
        List<Image> images = new ArrayList<>();
        int[] durable = {0};
        power.beforeEachStep(() -> {
            if (random.nextInt(12) == 0) {
                images.add(new Image(power.image(random), durable[0]));
            }
        });
        try (LarderQueue queue = LarderQueue.open(QUEUE, options(storage))) {
            queue.appender(Codec.records(First.class)).append(new First("first"));
            durable[0] = sync(queue, 1, durable[0], random);
            queue.appender(Codec.records(Second.class)).append(new Second(2, "second"));
            durable[0] = sync(queue, 2, durable[0], random);
            queue.appender(Codec.records(Third.class)).append(new Third(3));
            queue.sync();
            durable[0] = 3;
            images.add(new Image(power.image(random), 3));
        }
        power.beforeEachStep(() -> {});
        return images;
    }

    private static int sync(LarderQueue queue, int messages, int before, SplittableRandom random) {
        if (random.nextBoolean()) {
            queue.sync();
            return messages;
        }
        return before;
    }

    @Test
    void everyMessageThatIsLeftHasItsSchema() {
        int checked = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            checked += check(seed, UnaryOperator.identity());
        }
        assertThat(checked).isGreaterThan(2 * SEEDS);
    }

    private static int check(int seed, UnaryOperator<Storage> lie) {
        SplittableRandom random = new SplittableRandom(seed);
        try (PowerLossStorage power = new PowerLossStorage(seed)) {
            List<Image> images = write(power, lie.apply(power), random);
            for (Image image : images) {
                try (PowerLossStorage storage = image.storage) {
                    checkSchemas(storage, image.durable);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
            return images.size();
        }
    }

    private static void checkSchemas(PowerLossStorage image, int durable) {
        try (LarderQueue queue = LarderQueue.open(QUEUE, options(image))) {
            List<Integer> numbers = schemaNumbers(queue);
            assertThat(numbers).hasSizeGreaterThanOrEqualTo(durable);
            assertThat(queue.schemas().keySet()).containsAll(numbers);
            queue.appender(Codec.records(Second.class)).append(new Second(4, "after"));
            TypedTailer<Second> tailer = queue.typed(queue.tailer(), Codec.records(Second.class));
            for (int i = 0; i < numbers.size(); i++) {
                assertThat(tailer.skip()).isTrue();
            }
            assertThat(tailer.next()).contains(new Second(4, "after"));
            queue.appender(Codec.records(Fourth.class)).append(new Fourth(1));
            assertThat(image.list(QUEUE)).noneMatch(name -> name.startsWith(SchemaFile.PRIVATE_PREFIX));
        }
    }

    private static List<Integer> schemaNumbers(LarderQueue queue) {
        List<Integer> numbers = new ArrayList<>();
        try (Tailer tailer = queue.tailer()) {
            while (tailer.poll((segment, offset, length) -> numbers.add(number(segment, offset)))) {
                assert !numbers.isEmpty();
            }
        }
        return numbers;
    }

    private static int number(MemorySegment segment, long offset) {
        return Schemas.number(segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset));
    }

    /** With a directory that is not flushed for the names of schemas, the same check must see messages without theirs. */
    @Test
    void wouldNoticeASchemaThatIsNotFlushed() {
        UnaryOperator<Storage> lie = power -> new DelegatingStorage(power) {
            @Override
            public void syncDirectory(Path directory) {
                if (power.list(directory).stream().noneMatch(name -> name.endsWith(SchemaFile.SUFFIX))) {
                    super.syncDirectory(directory);
                }
            }
        };
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < 100; seed++) {
                        check(seed, lie);
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }

    private static void fill(LarderQueue source) {
        for (int i = 0; i < 4; i++) {
            source.appender().append("text " + i);
            source.appender(Codec.records(First.class)).append(new First("name " + i));
        }
        source.appender(Codec.records(Second.class)).append(new Second(5, "last"));
    }

    private static long copy(LarderQueue source, Storage target) {
        return QueueCopy.copy(source, COPY, options(target), false, () -> true);
    }

    @Test
    void aCopyGoesOnWhereItIs() {
        int checked = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            try (PowerLossStorage sources = new PowerLossStorage(seed);
                    PowerLossStorage power = new PowerLossStorage(seed + 1);
                    LarderQueue source = LarderQueue.open(QUEUE, options(sources))) {
                List<PowerLossStorage> images = copyInLaps(source, power, random);
                for (PowerLossStorage image : images) {
                    checkCopy(source, image, seed);
                }
                checked += images.size();
            }
        }
        assertThat(checked).isGreaterThan(2 * SEEDS);
    }

    /** Copies three times, as the source grows; takes images on the way. */
    private static List<PowerLossStorage> copyInLaps(
            LarderQueue source, PowerLossStorage power, SplittableRandom random) {
        List<PowerLossStorage> images = new ArrayList<>();
        power.beforeEachStep(() -> {
            if (random.nextInt(20) == 0) {
                images.add(power.image(random));
            }
        });
        for (int lap = 0; lap < 3; lap++) {
            fill(source);
            copy(source, power);
        }
        images.add(power.image(random));
        power.beforeEachStep(() -> {});
        return images;
    }

    private static void checkCopy(LarderQueue source, PowerLossStorage image, int seed) {
        try (image) {
            copy(source, image);
            try (LarderQueue copied = LarderQueue.open(COPY, options(image))) {
                assertThat(TestQueues.texts(copied)).isEqualTo(TestQueues.texts(source));
                assertThat(copied.schemas()).isEqualTo(source.schemas());
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /** Regression: the process that made the copy's file was killed before the name was durable, and the next one trusted it. */
    @Test
    void aCopyMakesTheNameOfItsFileDurableThatAnotherHasLinked() {
        SplittableRandom random = new SplittableRandom(3);
        try (PowerLossStorage sources = new PowerLossStorage(1);
                PowerLossStorage power = new PowerLossStorage(2);
                LarderQueue source = LarderQueue.open(QUEUE, options(sources))) {
            source.appender().append("one");
            assertThatThrownBy(() -> copy(source, killedBehind(power, CopyPlace.FILE_NAME)))
                    .hasMessageContaining("killed");
            copy(source, power);
            for (int i = 0; i < 50; i++) {
                checkCopy(source, power.image(random), i);
            }
        }
    }

    /** Returns a storage that throws before it syncs a folder with a file of such a name. */
    private static Storage killedBehind(PowerLossStorage power, String suffix) {
        return new DelegatingStorage(power) {
            @Override
            public void syncDirectory(Path directory) {
                if (power.list(directory).stream().anyMatch(name -> name.endsWith(suffix))) {
                    throw new StorageException(directory + ": killed");
                }
                super.syncDirectory(directory);
            }
        };
    }

    /** The process that linked a schema was killed before its name was durable; the next process finds it, and appends. */
    @Test
    void aCopyMakesTheNamesOfSchemasDurableThatOthersHaveLinked() {
        SplittableRandom random = new SplittableRandom(1);
        try (PowerLossStorage sources = new PowerLossStorage(1);
                PowerLossStorage power = new PowerLossStorage(2);
                LarderQueue source = LarderQueue.open(QUEUE, options(sources))) {
            copy(source, power);
            source.appender(Codec.records(First.class)).append(new First("one"));
            assertThatThrownBy(() -> copy(source, killedBehind(power, SchemaFile.SUFFIX)))
                    .hasMessageContaining("killed");
            copy(source, power);
            for (int i = 0; i < 50; i++) {
                try (PowerLossStorage image = power.image(random);
                        LarderQueue copied = LarderQueue.open(COPY, options(image))) {
                    assertThat(schemaNumbers(copied)).containsExactly(1);
                    assertThat(copied.schemas().keySet()).containsExactly(1);
                }
            }
        }
    }
}
