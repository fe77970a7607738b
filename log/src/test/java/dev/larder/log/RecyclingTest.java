package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.Opening;
import dev.larder.log.random.OpenSession;
import dev.larder.log.retain.Dropping;
import dev.larder.log.retain.Holds;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are reused, and files that must not be. */
@Timeout(120)
final class RecyclingTest {

    @TempDir
    private Path directory;

    private final NumberedRecords records = new NumberedRecords();
    private final Map<Log, Dropping> droppings = new HashMap<>();

    private static LogOptions bounded() {
        return TestLogs.options().withRetention(retention -> retention.withBytes(4 * TestLogs.MIB_2));
    }

    /** Drops with one dropper for each log, which deletes files later that could not be deleted while they were mapped. */
    private void drop(Log log) {
        droppings
                .computeIfAbsent(log, opened -> Droppings.of(opened, bounded(), Holds.NONE))
                .drop();
        OpenSession.of(log).segments.making().finishRemovals();
    }

    private static long recycled(Log log) {
        return log.counters().getOrDefault(LogCounter.RECYCLED, 0L);
    }

    private List<String> privateNames() {
        return TestLogs.storage().list(directory).stream()
                .filter(name -> name.endsWith(PrivateFiles.SUFFIX))
                .toList();
    }

    /**
     * Stops the background, so that only the test links segments, and nothing stands in a segment but what the test
     * names. On a busy machine the background lags, and a file that it stands in, or just unmaps, is not reused.
     */
    private static void stopBackground(Log log) {
        OpenSession.of(log).maintenance().stop();
    }

    /** Fills a segment, drops the excess, and links the next one. */
    private void turn(Log log, LogAppender appender) {
        records.fill(appender, 1);
        drop(log);
        log.prepare(TestLogs.MIB_2);
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void usesFilesAgainWithNewSalts(IntegrityMode integrity) {
        Set<Long> salts = new HashSet<>();
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            stopBackground(log);
            int again = 0;
            for (int i = 0; i < 12; i++) {
                turn(log, appender);
                List<Long> read = NumberedRecords.read(reader);
                assertThat(read).isEqualTo(records.lately(read.size()));
                salts.add(appender.core().segment().salt);
                again += appender.core().segment().isRecycled() ? 1 : 0;
            }
            assertThat(recycled(log)).isGreaterThanOrEqualTo(6);
            assertThat(salts).hasSize(12);
            assertThat(log.verify().problems()).isEmpty();
            assertThat(again).isGreaterThanOrEqualTo(6);
        }
        assertThat(privateNames()).isEmpty();
    }

    @Test
    void keepsTwoSparesAtMostAndNoneAfterClosing() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            records.fill(appender, 12);
            drop(log);
            assertThat(privateNames()).hasSize(2);
            assertThat(OpenSession.of(log).segments.making().releaseSpares()).isTrue();
            assertThat(privateNames()).isEmpty();
            records.fill(appender, 3);
            drop(log);
            assertThat(privateNames()).hasSize(2);
        }
        assertThat(privateNames()).isEmpty();
    }

    /** A reader inside its handler keeps the bytes that it looks at: none of them is used for another segment. */
    @Test
    void neverRecyclesWhatSomebodyStandsIn() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            stopBackground(log);
            records.append(appender);
            List<Long> read = new ArrayList<>();
            reader.drain(
                    (segment, offset, length) -> {
                        for (int i = 0; i < 12; i++) {
                            turn(log, appender);
                        }
                        read.add(NumberedRecords.number(TestLogs.copy(segment, offset, length)));
                    },
                    1);
            assertThat(read).containsExactly(0L);
            assertThat(recycled(log)).isZero();
            reader.moveToFirst();
            for (int i = 0; i < 8; i++) {
                reader.moveToFirst();
                turn(log, appender);
            }
            assertThat(recycled(log)).isZero(); // the reader stood in the first segment
            reader.moveToFirst();
            NumberedRecords.read(reader);
            turn(log, appender);
            turn(log, appender);
            assertThat(recycled(log)).isPositive();
        }
    }

    /** A process that neither writes nor reads pins nothing, though its background looks at the log now and then. */
    @Test
    void whoDoesNothingHoldsUpNothing() {
        try (Log log = TestLogs.open(directory)) {
            ControlFile control = OpenSession.of(log).control;
            int slot = OpenSession.of(log).writing().slot();
            for (int i = 0; i < 3; i++) {
                try (LogAppender appender = log.appender();
                        LogReader reader = log.reader()) {
                    records.fill(appender, 3);
                    List<Long> read = NumberedRecords.read(reader);
                    assertThat(read).isEqualTo(records.lately(read.size())).isNotEmpty();
                    assertThat(control.pinVolatile(slot)).isPositive();
                }
                Await.until(() -> control.pinVolatile(slot) == 0);
                drop(log);
            }
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A dead process's pin has no effect. */
    @Test
    void aDeadProcessPinsNothing() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            records.fill(appender, 2);
            ControlFile control = OpenSession.of(log).control;
            LockFile locks = OpenSession.of(log).writing().locks();
            int own = OpenSession.of(log).writing().slot();
            int other = own + 1;
            assertThat(Pins.cover(control, locks, own, 0)).isFalse();
            control.generationRelease(other, 1);
            control.pinVolatile(other, 1);
            assertThat(Pins.cover(control, locks, own, 0)).isFalse();
            assertThat(locks.tryLock(LockFile.live(other))).isTrue();
            assertThat(Pins.cover(control, locks, own, 0)).isTrue();
            locks.unlock(LockFile.live(other));
            control.pinVolatile(other, 0);
        }
    }

    /** Bytes of a former life that look like records, wherever a chain could reach, are gone before the file is used. */
    @Test
    void neverTakesOldBytesForRecords() {
        Poisoning poisoning = new Poisoning();
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), poisoning));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            stopBackground(log);
            for (int i = 0; i < 12; i++) {
                turn(log, appender);
                checkNoIndex(log, appender.core().segment().number + 1);
                List<Long> read = NumberedRecords.read(reader);
                assertThat(read).isEqualTo(records.lately(read.size()));
                assertThat(reader.sequence()).isEqualTo(records.last() + 1);
            }
            assertThat(recycled(log)).isGreaterThanOrEqualTo(6);
            assertThat(log.verify().problems()).isEmpty();
        }
        assertThat(poisoning.files).isGreaterThanOrEqualTo(6);
    }

    /** Checks that the index of the file's former records is gone with them. */
    private static void checkNoIndex(Log log, int number) {
        Segment ahead = OpenSession.of(log).segments.acquire(number).orElseThrow();
        assertThat(ahead.rows.hasBaseSequence()).isFalse();
        for (int block = 0; block < ahead.rows.count(); block++) {
            assertThat(ahead.rows.storedIndex(block)).isZero();
            assertThat(ahead.rows.storedTime(block)).isZero();
        }
        OpenSession.of(log).segments.release(ahead);
    }

    /** Fills each file that gets a private name, and so may become a spare, with committed records of 8 bytes. */
    private static final class Poisoning extends DelegatingStorage {

        private static final long COMMITTED = 0x1234_5678_8000_0008L;

        private int files;

        Poisoning() {
            super(TestLogs.storage());
        }

        @Override
        public boolean rename(Path source, Path target) {
            boolean renamed = super.rename(source, target);
            if (renamed && target.toString().endsWith(PrivateFiles.SUFFIX)) {
                poison(target);
                files++;
            }
            return renamed;
        }

        private static void poison(Path file) {
            try {
                ByteBuffer words = ByteBuffer.allocate((int) Files.size(file)).order(ByteOrder.LITTLE_ENDIAN);
                while (words.hasRemaining()) {
                    words.putLong(COMMITTED);
                }
                Files.write(file, words.array(), StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void recyclesNothingThatIsNotInMemoryWhereItCannotBeDeclaredZeros() {
        recyclesNothing(
                HookedOptions.withStorage(TestLogs.options(), new Cold(false)), 2); // one is looked at, one comes
    }

    /** Pages that have left the memory are declared zeros, and not written. */
    @Test
    void recyclesWhatIsNotInMemoryWhereItCanBeDeclaredZeros() {
        Cold cold = new Cold(true);
        assumeThat(cold.canClear(directory)).as("space can be declared zeros").isTrue();
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), cold));
                LogAppender appender = log.appender()) {
            stopBackground(log);
            for (int i = 0; i < 8; i++) {
                turn(log, appender);
            }
            assertThat(recycled(log)).isPositive();
            assertThat(cold.cleared.get()).isPositive();
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** A storage whose files have no page in memory. */
    private static class Cold extends DelegatingStorage {

        private final boolean clears;
        private final AtomicInteger cleared = new AtomicInteger();

        Cold(boolean clears) {
            super(TestLogs.storage());
            this.clears = clears;
        }

        boolean canClear(Path directory) {
            try (StorageFile file =
                    super.create(directory.resolve("trial"), Access.OWNER).orElseThrow()) {
                file.allocate(1 << 20, Allocation.RESERVE);
                return file.clear(0, 1 << 20);
            } finally {
                super.delete(directory.resolve("trial"));
            }
        }

        @Override
        public boolean isResident(MemorySegment mapped, long offset, long bytes) {
            return false;
        }

        @Override
        public Optional<StorageFile> open(Path path, boolean writable) {
            return super.open(path, writable).map(file -> new DelegatingFile(file) {
                @Override
                public boolean clear(long offset, long bytes) {
                    cleared.incrementAndGet();
                    return clears && super.clear(offset, bytes);
                }
            });
        }
    }

    /** Zeros that are written ahead would only evict other pages, and be evicted themselves before they are used. */
    @Test
    void writesNoZerosWhereTheLogIsLargerThanMemory() {
        Cold tight = new Cold(true) {
            @Override
            public boolean isResident(MemorySegment mapped, long offset, long bytes) {
                return true;
            }

            @Override
            public long memoryBytes() {
                return 4 * TestLogs.MIB_2;
            }
        };
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), tight));
                LogAppender appender = log.appender()) {
            stopBackground(log);
            for (int i = 0; i < 8; i++) {
                turn(log, appender);
            }
            assertThat(tight.cleared.get()).isPositive();
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** One of eight pieces may have left the memory. */
    @Test
    void recyclesAFileThatIsMostlyInMemory() {
        DelegatingStorage lukewarm = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public boolean isResident(MemorySegment mapped, long offset, long bytes) {
                return offset != 3 * TestLogs.MIB_2 / 2;
            }
        };
        long segmentBytes = 4 * TestLogs.MIB_2;
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), lukewarm)
                .withLargestSegmentBytes(segmentBytes)
                .withRetention(retention -> retention.withBytes(4 * segmentBytes));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            for (int turns = 0; turns < 50 && recycled(log) == 0; turns++) {
                records.fill(appender, 1);
                log.prepare(segmentBytes);
            }
            assertThat(recycled(log)).isPositive();
        }
    }

    /** Where blocks are never written in place a used file is no better than a new one. */
    @Test
    void recyclesNothingWhereSpaceIsNotReserved() {
        recyclesNothing(TestLogs.options().withLayout(layout -> layout.withAllocation(Allocation.GROW)), 0);
    }

    private void recyclesNothing(LogOptions options, int keptMax) {
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            for (int i = 0; i < 8; i++) {
                turn(log, appender);
            }
            assertThat(recycled(log)).isZero();
            assertThat(privateNames()).as("what was found to be of no use goes").hasSizeLessThanOrEqualTo(keptMax);
        }
        assertThat(privateNames()).isEmpty();
    }

    /** A spare that cannot be flushed is deleted, and a new file takes its place. */
    @Test
    void aSpareThatCannotBeFlushedIsNotUsed() {
        FaultyStorage failing = new FaultyStorage(TestLogs.storage());
        List<Runnable> beforeFlush = new ArrayList<>();
        LogOptions options =
                HookedOptions.withFailpoints(HookedOptions.withStorage(TestLogs.options(), failing), step -> {
                    if (step.equals("recycle.zeroed")) {
                        beforeFlush.forEach(Runnable::run);
                    }
                });
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            beforeFlush.add(() -> failing.fail(
                    StorageCall.FORCE,
                    failing.count(StorageCall.FORCE) + 1,
                    () -> new StorageException("the device is gone")));
            for (int i = 0; i < 8; i++) {
                turn(log, appender);
            }
            assertThat(recycled(log)).isZero();
            assertThat(OpenSession.of(log).control.failedVolatile()).isZero();
        }
    }

    /**
     * The power fails after the log was closed: the zeros behind the end of a recycled file may be lost, and the file's
     * former bytes return.
     */
    @Test
    void oldBytesBehindTheEndOfAClosedLogAreNeverRead() throws IOException {
        int tail;
        long end;
        try (Log log = TestLogs.open(directory, IntegrityMode.SEAL);
                LogAppender appender = log.appender()) {
            stopBackground(log);
            for (int i = 0; i < 8; i++) {
                turn(log, appender);
            }
            assertThat(appender.core().segment().isRecycled()).isTrue();
            log.sync();
            end = log.endPosition();
            tail = Position.segment(end);
        }
        comeBackToLife(tail, Position.offset(end));
        DelegatingStorage rebooted = new Rebooted();
        try (Log log = Log.open(
                        directory, HookedOptions.withStorage(TestLogs.options().withReadOnly(true), rebooted));
                LogReader reader = log.reader()) {
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
            assertThat(reader.position()).isEqualTo(end);
        }
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), rebooted));
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            assertThat(log.endPosition()).isEqualTo(end);
            records.append(appender);
            assertThat(NumberedRecords.read(reader).getLast()).isEqualTo(records.last());
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /**
     * A writer has ended its segment and came to no other one. A sync walks into the next one all the same, which was
     * prepared from a recycled file. Then the log is closed, and the power fails.
     */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void oldBytesOfASegmentThatOnlyASyncHasEnteredAreNeverRead(IntegrityMode integrity) {
        Path path = Path.of("/", "walked");
        AtomicBoolean armed = new AtomicBoolean();
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            DelegatingStorage resident = new DelegatingStorage(power) {
                @Override
                public boolean isResident(MemorySegment mapped, long offset, long bytes) {
                    return true;
                }
            };
            LogOptions options = HookedOptions.withStorage(TestLogs.options(), resident);
            LogOptions stopping = HookedOptions.withFailpoints(options.withIntegrity(integrity), step -> {
                if (step.equals("roll.ended") && armed.getAndSet(false)) {
                    throw new SystemLimitException("too many open files");
                }
            });
            try (Log log = Log.open(path, stopping);
                    LogAppender appender = log.appender()) {
                stopBackground(log);
                for (int i = 0; i < 8; i++) {
                    records.fill(appender, 1);
                    log.sync();
                    power.syncAll();
                    drop(log);
                    log.prepare(TestLogs.MIB_2);
                }
                assertThat(recycled(log)).isPositive();
                armed.set(true);
                assertThatThrownBy(() -> records.fill(appender, 1)).hasMessage("too many open files");
                assertThat(Position.segment(log.sync()))
                        .isEqualTo(OpenSession.of(log).control.tailAcquire() + 1);
            }
            for (int seed = 0; seed < 5; seed++) {
                try (PowerLossStorage image = power.image(new SplittableRandom(seed))) {
                    appendAndRead(path, HookedOptions.withStorage(options, image));
                }
            }
        }
    }

    /**
     * A process is stopped right after it has linked a segment. Others fill that segment and drop it, and are killed before
     * {@code first} is durable. Then the first process continues, and removes the segment. Then the power fails.
     */
    @Test
    void aSegmentThatWasDroppedMeanwhileGoesOnlyOnceFirstIsDurable() {
        Path path = Path.of("/", "late");
        List<Runnable> meanwhile = new ArrayList<>();
        AtomicBoolean killed = new AtomicBoolean();
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            LogOptions options = HookedOptions.withStorage(TestLogs.options(), power);
            LogOptions stopped = HookedOptions.withFailpoints(options, step -> {
                if (step.equals("roll.linked") && !meanwhile.isEmpty()) {
                    meanwhile.removeFirst().run();
                }
            });
            LogOptions quick = HookedOptions.withFailpoints(options, step -> {
                if (step.equals("drop.moved") && killed.get()) {
                    throw new IllegalStateException("killed");
                }
            });
            try (Log log = Log.open(path, quick);
                    LogAppender appender = log.appender()) {
                stopBackground(log);
                records.append(appender);
                LogSession late = new Opening(path, stopped).open();
                meanwhile.add(() -> {
                    records.fill(appender, 2);
                    log.sync();
                    Dropping dropping = Droppings.of(log, bounded(), Holds.NONE);
                    assertThat(dropping.dropFirst(0)).isTrue();
                    dropping.freeDropped(0);
                    killed.set(true);
                    assertThatThrownBy(() -> dropping.dropFirst(1)).hasMessage("killed");
                });
                Segment tail = late.segments.acquire(0).orElseThrow();
                assertThat(late.segments.making().makeAhead(tail)).isEmpty();
                late.segments.release(tail);
                assertThat(power.list(path)).doesNotContain(SegmentLayout.fileName(1));
                for (int seed = 0; seed < 5; seed++) {
                    try (PowerLossStorage image = power.image(new SplittableRandom(seed))) {
                        appendAndRead(path, HookedOptions.withStorage(options, image));
                    }
                }
                late.close();
            }
        }
    }

    private static void appendAndRead(Path path, LogOptions options) {
        try (Log log = Log.open(path, options);
                LogAppender appender = log.appender()) {
            int before = TestLogs.payloads(log).size();
            for (int i = 0; i < 2000; i++) {
                appender.append(TestLogs.bytes(100, i));
            }
            assertThat(TestLogs.payloads(log)).hasSize(before + 2000);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    private void comeBackToLife(int tail, long offset) throws IOException {
        Path file = directory.resolve(SegmentLayout.fileName(tail));
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position((int) offset);
        while (words.hasRemaining()) {
            words.putLong(Poisoning.COMMITTED);
        }
        Files.write(file, bytes);
    }

    private static final class Rebooted extends DelegatingStorage {

        Rebooted() {
            super(TestLogs.storage());
        }

        @Override
        public String bootIdentity() {
            return "another boot";
        }
    }

    /** Throws an error once, at a step. */
    private static final class Thrower implements Failpoints {

        private final AtomicReference<String> at = new AtomicReference<>("");

        @Override
        public void reached(String step) {
            if (step.equals(at.get())) {
                at.set("");
                throw new StackOverflowError("test");
            }
        }
    }

    /** A spare whose publication failed stayed under its private name until the process ended. */
    @ParameterizedTest
    @ValueSource(strings = {"roll.formatted", "roll.linked", "recycle.zeroed"})
    void leavesNoSpareBehindWhosePublicationFailed(String step) {
        Thrower thrower = new Thrower();
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), thrower));
                LogAppender appender = log.appender()) {
            stopBackground(log);
            records.fill(appender, 12);
            drop(log);
            assertThat(privateNames()).hasSize(2);
            thrower.at.set(step);
            assertThatThrownBy(() -> log.prepare(TestLogs.MIB_2)).isInstanceOf(StackOverflowError.class);
            OpenSession.of(log).segments.making().releaseSpares();
            assertThat(privateNames()).isEmpty();
            records.fill(appender, 3);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void leavesNoSpareBehindThatCouldNotBeLinked() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            stopBackground(log);
            records.fill(appender, 12);
            drop(log);
            storage.fail(
                    StorageCall.LINK, storage.count(StorageCall.LINK) + 1, () -> new StorageException("no more links"));
            assertThatThrownBy(() -> log.prepare(TestLogs.MIB_2)).hasMessage("no more links");
            OpenSession.of(log).segments.making().releaseSpares();
            assertThat(privateNames()).isEmpty();
        }
    }

    @Test
    void leavesNoFileBehindWhoseDroppingFailed() {
        Thrower thrower = new Thrower();
        try (Log log = Log.open(directory, HookedOptions.withFailpoints(TestLogs.options(), thrower));
                LogAppender appender = log.appender()) {
            stopBackground(log);
            records.fill(appender, 12);
            thrower.at.set("drop.renamed");
            assertThatThrownBy(() -> drop(log)).isInstanceOf(StackOverflowError.class);
            records.fill(appender, 3);
            drop(log);
            OpenSession.of(log).segments.making().releaseSpares();
            assertThat(privateNames()).isEmpty();
        }
    }
}
