package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.tests.support.Effort;
import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy is killed at any step, and both queues drop all that they may. The next copy finds its place, takes no message twice
 * and misses none.
 */
@Timeout(300)
final class QueueCopyKillTest {

    private static final int SEEDS = Effort.of(6, 40, 400);
    private static final int ROUNDS = 12;

    @TempDir
    Path directory;

    private static LogOptions options() {
        return TestQueues.options().withLargestSegmentBytes(64 << 10);
    }

    private static String text(int number) {
        return String.format(Locale.ROOT, "%04000d", number);
    }

    /** The end of a process, at a step. */
    private static final class KilledException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        private KilledException(String step) {
            super("killed at " + step);
        }
    }

    /** Counts the steps of one kind in a copy, and ends it at one of them. */
    private static final class Kill {

        private final Thread copying = Thread.currentThread();
        private final String kind;
        private int left;

        Kill(String kind, int steps) {
            this.kind = kind;
            left = steps;
        }

        /** Chooses a step; a copy has many steps of appends, and few others. */
        static Kill choose(SplittableRandom random) {
            return switch (random.nextInt(3)) {
                case 0 -> new Kill("append.", random.nextInt(120));
                case 1 -> new Kill("roll.", random.nextInt(4));
                default -> new Kill("place.", random.nextInt(6));
            };
        }

        void step(String name) {
            if (name.startsWith(kind) && Thread.currentThread().equals(copying) && left-- == 0) {
                throw new KilledException(name);
            }
        }

        LogOptions in(LogOptions options) {
            Storage storage = HookedOptions.of(TestQueues.options()).storage();
            return HookedOptions.withFailpoints(
                    HookedOptions.withStorage(options, new KillingStorage(storage, this)), this::step);
        }
    }

    /** A storage that takes writes of {@code copy.place} as steps: before, within and after. */
    private static final class KillingStorage extends DelegatingStorage {

        private final Kill kill;

        KillingStorage(Storage storage, Kill kill) {
            super(storage);
            this.kill = kill;
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            Optional<StorageFile> opened = super.open(file, writable);
            return file.endsWith(CopyPlace.FILE_NAME) ? opened.map(place -> new PlaceFile(place, kill)) : opened;
        }
    }

    private static final class PlaceFile extends DelegatingFile {

        private final Kill kill;

        PlaceFile(StorageFile file, Kill kill) {
            super(file);
            this.kill = kill;
        }

        @Override
        public void write(MemorySegment bytes, long offset) {
            kill.step("place.before");
            super.write(bytes.asSlice(0, bytes.byteSize() / 2), offset);
            kill.step("place.within");
            super.write(bytes, offset);
            kill.step("place.after");
        }
    }

    /** The messages between the last place and the end are in a segment of their own, as all others are gone. */
    @Test
    void continuesACopyThatWasKilledBeforeItsPlaceInANewSegment() {
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), options())) {
            for (int number = 0; number < 40; number++) {
                queue.append(text(number));
            }
            Path target = directory.resolve("target");
            LogOptions killed = HookedOptions.withStorage(
                    options(),
                    new DelegatingStorage(HookedOptions.of(TestQueues.options()).storage()) {

                        @Override
                        public Optional<StorageFile> open(Path file, boolean writable) {
                            Optional<StorageFile> opened = super.open(file, writable);
                            return file.endsWith(CopyPlace.FILE_NAME) ? opened.map(SecondWriteFails::new) : opened;
                        }
                    });
            assertThatThrownBy(() -> QueueCopy.copy(queue, target, killed, false, () -> true))
                    .isInstanceOf(KilledException.class);
            int had = drop(target);
            assertThat(had).isGreaterThan(15);
            assertThat(QueueCopy.copy(queue, target, options(), false, () -> true))
                    .isEqualTo(40 - had);
        }
    }

    /** A file of places that ends the copy before its second place. */
    private static final class SecondWriteFails extends DelegatingFile {

        private boolean written;

        SecondWriteFails(StorageFile file) {
            super(file);
        }

        @Override
        public void write(MemorySegment bytes, long offset) {
            if (written) {
                throw new KilledException("the second place");
            }
            written = true;
            super.write(bytes, offset);
        }
    }

    /** Drops all segments but the last; returns how many messages the queue has had. */
    private static int drop(Path queue) {
        try (LarderQueue opened = LarderQueue.open(queue, options());
                Tailer tailer = opened.tailer()) {
            opened.dropBefore(opened.info().endPosition());
            return Math.toIntExact(tailer.toEnd().sequence());
        }
    }

    @Test
    void findsItsPlaceAfterAKillAtAnyStep() {
        Set<String> steps = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                killAndGoOn(new SplittableRandom(seed), directory.resolve("seed" + seed), steps);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(steps)
                .contains("append.claimed", "append.committed", "roll.ended")
                .contains("place.before", "place.within", "place.after");
    }

    private static void killAndGoOn(SplittableRandom random, Path directory, Set<String> steps) {
        Path target = directory.resolve("target");
        List<Long> positions = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), options())) {
            append(queue, positions, random.nextInt(60));
            queue.dropBefore(queue.info().endPosition()); // the copy begins at a later message
            int begin = first(queue);
            for (int round = 0; round < ROUNDS; round++) {
                append(queue, positions, 1 + random.nextInt(40));
                copyUntilKilled(queue, target, random, steps);
                int had = check(target, begin, random.nextInt(3) > 0);
                begin = had == 0 ? first(queue) : begin;
                if (random.nextBoolean()) {
                    int next = begin + had;
                    queue.dropBefore(next == positions.size() ? queue.info().endPosition() : positions.get(next));
                }
            }
            QueueCopy.copy(queue, target, options(), false, () -> true);
            assertThat(check(target, begin, false)).isEqualTo(positions.size() - begin);
            assertThat(QueueCopy.copy(queue, target, options(), false, () -> true))
                    .isZero();
        }
    }

    private static void append(LarderQueue queue, List<Long> positions, int messages) {
        for (int i = 0; i < messages; i++) {
            positions.add(queue.append(text(positions.size())));
        }
    }

    private static int first(LarderQueue queue) {
        try (Tailer tailer = queue.tailer()) {
            return Math.toIntExact(tailer.sequence());
        }
    }

    private static void copyUntilKilled(LarderQueue queue, Path target, SplittableRandom random, Set<String> steps) {
        LogOptions dropping = options().withRetention(retention -> retention.withAge(Duration.ZERO));
        LogOptions killed = Kill.choose(random).in(random.nextBoolean() ? dropping : options());
        try {
            QueueCopy.copy(queue, target, killed, false, () -> true);
        } catch (KilledException e) {
            steps.add(String.valueOf(e.getMessage()).substring("killed at ".length()));
        }
    }

    /** Compares the messages of a copy with those of its source; returns how many it has had. */
    private static int check(Path target, int begin, boolean dropping) {
        LogOptions keeping = options().withRetention(retention -> retention.withAge(Duration.ofDays(1)));
        try (LarderQueue copy = LarderQueue.open(target, keeping); // a copy may have been created with age 0
                Tailer tailer = copy.tailer()) {
            if (dropping) {
                copy.dropBefore(copy.info().endPosition());
            }
            int number = begin + Math.toIntExact(tailer.toStart().sequence());
            for (String text : TestQueues.texts(tailer)) {
                assertThat(text).isEqualTo(text(number));
                number++;
            }
            return number - begin;
        }
    }
}
