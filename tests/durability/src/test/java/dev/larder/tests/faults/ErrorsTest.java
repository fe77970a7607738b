package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.ValueCodec;
import dev.larder.codec.ValueMismatchException;
import dev.larder.log.BookmarkHeldException;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.InterruptedWaitException;
import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogFailedException;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.lucene.BudgetFullException;
import dev.larder.lucene.DirectoryOptions;
import dev.larder.lucene.LarderDirectory;
import dev.larder.lucene.MemoryBudget;
import dev.larder.map.Cleaning;
import dev.larder.map.CodecMismatchException;
import dev.larder.map.LarderMap;
import dev.larder.map.MapInUseException;
import dev.larder.map.MapOptions;
import dev.larder.map.NoRoomYetException;
import dev.larder.memory.Access;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.LarderException;
import dev.larder.memory.NewerFormatException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.UnsupportedFileSystemException;
import dev.larder.memory.UnsupportedRegionException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import dev.larder.queue.Appender;
import dev.larder.queue.ConsumerFailedException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every exception that users can see is in the guide, and a call here leads to it. */
@Tag("in-memory")
class ErrorsTest {

    private static final Path ROOT = Path.of(System.getProperty("larder.root"));
    private static final Path DIRECTORY = Path.of("/", "errors");
    private static final LogOptions OPTIONS = LogOptions.defaults()
            .withIntegrity(IntegrityMode.RECORD)
            .withLargestSegmentBytes(2L << 20)
            .withPrepareBytes(0)
            .withSync(SyncPolicy.none());
    private static final long MAP_BYTES = 16L << 20;
    private static final int MESSAGE_BYTES = 10_000;

    /** A call that leads to an error, on an empty storage of its own. */
    @FunctionalInterface
    private interface Provocation {
        void provoke(PowerLossStorage storage) throws Throwable;
    }

    private static final Map<Class<? extends Exception>, Provocation> PROVOCATIONS = new LinkedHashMap<>();

    /** No storage in memory comes to these: ScaleTest has a process that does. */
    private static final Set<Class<? extends Exception>> ELSEWHERE = Set.of(SystemLimitException.class);

    static {
        PROVOCATIONS.put(LarderException.class, storage -> Log.readCounters(Path.of("no-such-directory")));
        PROVOCATIONS.put(StorageException.class, ErrorsTest::openAnEmptyDirectory);
        PROVOCATIONS.put(DiskFullException.class, ErrorsTest::fillAMap);
        PROVOCATIONS.put(
                CorruptException.class,
                storage -> openDamaged(
                        storage, "log.ctl", memory -> memory.asSlice(72, 8).fill((byte) 1)));
        PROVOCATIONS.put(TruncatedException.class, ErrorsTest::openTruncated);
        PROVOCATIONS.put(
                ForeignFileException.class,
                storage -> openDamaged(
                        storage, "log.ctl", memory -> memory.asSlice(0, 8).fill((byte) 1)));
        PROVOCATIONS.put(
                NewerFormatException.class,
                storage -> openDamaged(
                        storage, "log.ctl", memory -> FileHeader.write(memory, "LOGCTL", 2, 128, Features.NONE)));
        PROVOCATIONS.put(UnsupportedFileSystemException.class, ErrorsTest::openRemote);
        PROVOCATIONS.put(UnsupportedRegionException.class, storage -> Region.attach(RegionKind.HEAP, "nobody sees it"));
        PROVOCATIONS.put(ClosedException.class, ErrorsTest::appendAfterClose);
        PROVOCATIONS.put(LogFailedException.class, ErrorsTest::failAFlush);
        PROVOCATIONS.put(LogBusyException.class, ErrorsTest::holdTheGate);
        PROVOCATIONS.put(BookmarkHeldException.class, ErrorsTest::takeATailerTwice);
        PROVOCATIONS.put(LogMismatchException.class, ErrorsTest::openWithAnotherIntegrity);
        PROVOCATIONS.put(RecordTooLargeException.class, ErrorsTest::appendTooMuch);
        PROVOCATIONS.put(GoneException.class, ErrorsTest::goToADroppedSequence);
        PROVOCATIONS.put(FellBehindException.class, ErrorsTest::readWhatWasDropped);
        PROVOCATIONS.put(ReadOnlyException.class, ErrorsTest::appendReadOnly);
        PROVOCATIONS.put(InterruptedWaitException.class, ErrorsTest::interruptAnOpening);
        PROVOCATIONS.put(ConsumerFailedException.class, ErrorsTest::failInAHandler);
        PROVOCATIONS.put(SchemaMismatchException.class, ErrorsTest::readAnotherType);
        PROVOCATIONS.put(ValueMismatchException.class, ErrorsTest::readAValueOfAnotherType);
        PROVOCATIONS.put(CodecMismatchException.class, ErrorsTest::openAMapOfOtherTypes);
        PROVOCATIONS.put(NoRoomYetException.class, ErrorsTest::changeWithoutWaiting);
        PROVOCATIONS.put(NotInMemoryException.class, ErrorsTest::readWhatIsNotInMemory);
        PROVOCATIONS.put(MapInUseException.class, ErrorsTest::openAMapTwice);
        PROVOCATIONS.put(BudgetFullException.class, storage -> fillABudget());
    }

    private static void takeATailerTwice(Storage storage) {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage));
                Tailer first = queue.tailer("one")) {
            assertThat(first.position()).isPositive();
            queue.tailer("one");
        }
    }

    private static void failInAHandler(Storage storage) throws Throwable {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage))) {
            queue.append("one");
            CompletionStage<Long> stopped = queue.consumer("one", (segment, offset, length) -> {
                        throw new IllegalStateException("of the handler");
                    })
                    .stopped();
            stopped.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private static void open(Storage storage, LogOptions options) {
        LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options, storage)).close();
    }

    private static void openAnEmptyDirectory(PowerLossStorage storage) {
        storage.createDirectories(DIRECTORY, Access.OWNER);
        open(storage, OPTIONS.withReadOnly(true));
    }

    private static void fillAMap(PowerLossStorage storage) {
        MapOptions small = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(OPTIONS, storage))
                .withCleaning(Cleaning.defaults().withMaxBytes(MAP_BYTES));
        try (LarderMap<Long, byte[]> map = LarderMap.open(DIRECTORY, ValueCodec.longs(), ValueCodec.bytes(), small)) {
            for (long key = 0; key < MAP_BYTES / MESSAGE_BYTES; key++) {
                map.set(key, new byte[MESSAGE_BYTES]);
            }
        }
    }

    private static void openDamaged(PowerLossStorage storage, String name, Consumer<MemorySegment> damage) {
        open(storage, OPTIONS);
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            damage.accept(file.map(0, file.sizeBytes(), true, arena));
        }
        open(storage, OPTIONS);
    }

    private static void openTruncated(PowerLossStorage storage) {
        open(storage, OPTIONS);
        storage.truncate(DIRECTORY.resolve("log.ctl"), 100);
        open(storage, OPTIONS);
    }

    private static void openRemote(PowerLossStorage storage) {
        open(
                new DelegatingStorage(storage) {
                    @Override
                    public FileSystemKind fileSystem(Path directory) {
                        return new FileSystemKind("nfs4");
                    }
                },
                OPTIONS);
    }

    private static void appendAfterClose(PowerLossStorage storage) {
        LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage));
        Appender appender = queue.appender();
        queue.close();
        appender.append(new byte[1]);
    }

    private static void failAFlush(PowerLossStorage storage) {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage));
                Appender appender = queue.appender()) {
            appender.append(new byte[1]);
            storage.failForce(1);
            queue.sync();
        }
    }

    /** Opens a log whose gate is held; a clock that runs fast shortens the 30 s. */
    private static void holdTheGate(PowerLossStorage storage) {
        open(storage, OPTIONS);
        Storage fast = new DelegatingStorage(storage) {
            @Override
            public long nanoTime() {
                return super.nanoTime() * 1000;
            }
        };
        whileTheGateIsHeld(storage, () -> open(fast, OPTIONS));
    }

    private static void whileTheGateIsHeld(PowerLossStorage storage, Runnable action) {
        try (StorageFile locks =
                storage.open(DIRECTORY.resolve("log.lck"), true).orElseThrow()) {
            assertThat(locks.tryLock(0)).isTrue();
            action.run();
        }
    }

    private static void interruptAnOpening(PowerLossStorage storage) {
        open(storage, OPTIONS);
        Thread.currentThread().interrupt();
        try {
            whileTheGateIsHeld(storage, () -> open(storage, OPTIONS));
        } finally {
            assertThat(Thread.interrupted()).as("the interrupt status is kept").isTrue();
        }
    }

    private static void readAnotherType(PowerLossStorage storage) {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage))) {
            queue.appender().append("no number");
            queue.tailer(Codec.longs()).next();
        }
    }

    private static void readAValueOfAnotherType(PowerLossStorage storage) {
        try (LarderMap<String, Long> map = map(storage, ValueCodec.longs())) {
            map.write("key", 4, (segment, offset, length) -> {});
            map.get("key");
        }
    }

    private static void openAMapOfOtherTypes(PowerLossStorage storage) {
        map(storage, ValueCodec.longs()).close();
        map(storage, ValueCodec.doubles());
    }

    private static void changeWithoutWaiting(PowerLossStorage storage) {
        LogOptions options = HookedOptions.withStorage(OPTIONS, storage).withSync(SyncPolicy.everyAppend());
        try (LarderMap<String, String> map =
                LarderMap.open(DIRECTORY, ValueCodec.texts(), ValueCodec.texts(), options)) {
            map.withoutWaiting(() -> map.put("key", "value"));
        }
    }

    private static void readWhatIsNotInMemory(PowerLossStorage storage) {
        try (LarderMap<String, String> map = map(storage, ValueCodec.texts())) {
            map.put("key", "value");
        }
        LogOptions options = HookedOptions.withStorage(OPTIONS, absent(storage));
        try (LarderMap<String, String> map =
                LarderMap.open(DIRECTORY, ValueCodec.texts(), ValueCodec.texts(), options)) {
            map.withoutReading(() -> map.get("key"));
        }
    }

    /** Returns a storage that reports every page as absent from memory. */
    private static Storage absent(Storage storage) {
        return new DelegatingStorage(storage) {
            @Override
            public boolean tellsResidence() {
                return true;
            }

            @Override
            public boolean isResident(MemorySegment mapped) {
                return false;
            }

            @Override
            public boolean isResident(MemorySegment mapped, long offset, long bytes) {
                return false;
            }
        };
    }

    private static void openAMapTwice(PowerLossStorage storage) {
        try (LarderMap<String, String> map = map(storage, ValueCodec.texts())) {
            map.put("key", "open");
            LogOptions other = HookedOptions.withStorage(OPTIONS, storage).withSync(SyncPolicy.everyAppend());
            LarderMap.open(DIRECTORY, ValueCodec.texts(), ValueCodec.texts(), other);
        }
    }

    private static <V> LarderMap<String, V> map(PowerLossStorage storage, ValueCodec<V> values) {
        return LarderMap.open(DIRECTORY, ValueCodec.texts(), values, HookedOptions.withStorage(OPTIONS, storage));
    }

    private static void fillABudget() throws IOException {
        DirectoryOptions small = DirectoryOptions.defaults().withBudget(MemoryBudget.of(1));
        try (LarderDirectory index = LarderDirectory.inMemory(small);
                IndexOutput output = index.createOutput("file", IOContext.DEFAULT)) {
            output.writeByte((byte) 1);
        }
    }

    private static void openWithAnotherIntegrity(PowerLossStorage storage) {
        open(storage, OPTIONS);
        open(storage, OPTIONS.withIntegrity(IntegrityMode.SEAL));
    }

    private static void appendTooMuch(PowerLossStorage storage) {
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, HookedOptions.withStorage(OPTIONS, storage));
                Appender appender = queue.appender()) {
            appender.append(new byte[600_000]);
        }
    }

    private static void goToADroppedSequence(PowerLossStorage storage) {
        LogOptions bounded =
                HookedOptions.withStorage(OPTIONS, storage).withRetention(retention -> retention.withBytes(4L << 20));
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, bounded);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            for (int i = 0; i < 100; i++) {
                appender.append(new byte[500_000]);
            }
            tailer.toSequence(0);
        }
    }

    private static void readWhatWasDropped(PowerLossStorage storage) {
        LogOptions bounded =
                HookedOptions.withStorage(OPTIONS, storage).withRetention(retention -> retention.withBytes(4L << 20));
        try (LarderQueue queue = LarderQueue.open(DIRECTORY, bounded);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            for (int i = 0; i < 100; i++) {
                appender.append(new byte[500_000]);
            }
            tailer.poll((segment, offset, length) -> {});
        }
    }

    private static void appendReadOnly(PowerLossStorage storage) {
        open(storage, OPTIONS);
        try (LarderQueue queue = LarderQueue.open(
                DIRECTORY, HookedOptions.withStorage(OPTIONS, storage).withReadOnly(true))) {
            queue.appender();
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldBeProvoked() {
        return PROVOCATIONS.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey().getSimpleName(), () -> provoke(entry.getKey(), entry.getValue())));
    }

    private static void provoke(Class<? extends Exception> kind, Provocation provocation) throws IOException {
        try (PowerLossStorage storage = new PowerLossStorage(1)) {
            ThrowingCallable call = () -> provocation.provoke(storage);
            Throwable thrown = catchThrowable(call);
            assertThat(thrown).isExactlyInstanceOf(kind);
            GuideTexts.requireKnown(kind, String.valueOf(thrown.getMessage()));
        }
    }

    @Test
    void shouldKnowEveryKind() throws IOException {
        Set<String> provoked = Stream.concat(PROVOCATIONS.keySet().stream(), ELSEWHERE.stream())
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());
        assertThat(provoked).isEqualTo(kinds());
    }

    @Test
    void shouldStandInTheGuide() throws IOException {
        List<String> headings = Pattern.compile("^### (\\w+)$", Pattern.MULTILINE)
                .matcher(GuideTexts.page())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(headings).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(kinds());
        for (String kind : kinds()) {
            assertThat(GuideTexts.section(kind)).contains("**Safe:** ", "| text | cause | next |");
            assertThat(GuideTexts.of(GuideTexts.section(kind))).as(kind).isNotEmpty();
        }
    }

    /** Returns the names of all public exception classes in the exported packages: the ones that a caller can name. */
    private static Set<String> kinds() throws IOException {
        Set<String> kinds = new HashSet<>();
        for (String module : List.of("memory", "codec", "log", "queue", "map", "lucene")) {
            try (Stream<Path> sources = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                sources.filter(file -> file.toString().endsWith("Exception.java"))
                        .filter(file ->
                                file.endsWith(Path.of("dev", "larder", module).resolve(file.getFileName())))
                        .filter(ErrorsTest::isPublic)
                        .map(file -> file.getFileName().toString())
                        .forEach(name -> kinds.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        return kinds;
    }

    private static boolean isPublic(Path source) {
        try {
            return Files.readString(source).contains("\npublic ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
