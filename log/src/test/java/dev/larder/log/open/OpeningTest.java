package dev.larder.log.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.CopiedLog;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogCounter;
import dev.larder.log.LogInfo;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.TestLogs;
import dev.larder.log.VerifyReport;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.UnsupportedFileSystemException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class OpeningTest {

    @TempDir
    Path directory;

    @Test
    void createsWhatIsMissing() throws IOException {
        Path deep = directory.resolve("a/b/log");
        try (Log log = TestLogs.open(deep)) {
            assertThat(log.directory()).isEqualTo(deep);
            assertThat(names(deep)).containsExactlyInAnyOrder("log.ctl", "log.lck", "log.cnt", "0000000000.seg");
            LogInfo info = log.info();
            assertThat(info.segments()).isEqualTo(1);
            assertThat(info.bytes()).isEqualTo(TestLogs.MIB_2);
            assertThat(info.firstPosition()).isEqualTo(info.endPosition()).isEqualTo(info.durablePosition());
            assertThat(TestLogs.texts(log)).isEmpty();
            assertThat(log.verify()).isEqualTo(new VerifyReport(0, 0, 0, 0, 0, info.endPosition(), List.of()));
        }
    }

    /** A process that is out of descriptors or mappings has met no damage. */
    @Test
    void theCountersStayWhereTheProcessIsAtALimit() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
        }
        Storage limited = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public Optional<StorageFile> open(Path file, boolean writable) {
                if (file.endsWith("log.cnt")) {
                    throw new SystemLimitException(file + ": too many open files");
                }
                return super.open(file, writable);
            }
        };
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), limited);
        assertThatThrownBy(() -> Log.open(directory, options)).isInstanceOf(SystemLimitException.class);
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.counters()).containsEntry(LogCounter.APPENDS, 1L);
        }
    }

    /** The log's segments are sound: a process that is out of mappings has not looked at them. */
    @Test
    void verificationFailsWhereTheProcessIsAtALimit() {
        AtomicBoolean limited = new AtomicBoolean();
        Storage storage = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public Optional<StorageFile> open(Path file, boolean writable) {
                if (limited.get() && file.endsWith("0000000000.seg")) {
                    throw new SystemLimitException(file + ": too many open files");
                }
                return super.open(file, writable);
            }
        };
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 2, 100_000);
        }
        try (Log log = Log.open(directory, options)) { // the first segment is not mapped
            limited.set(true);
            assertThatThrownBy(log::verify).isInstanceOf(SystemLimitException.class);
            limited.set(false);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** The process that has the log open would count as dead, because its locks are on the deleted file. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesALogWhoseLockFileWasDeletedWhileItWasOpen(boolean torn) throws IOException {
        Path copy = directory.resolve("copy");
        CopiedLog.whileOpen(copy, TestLogs.options(), appender -> appender.append(TestLogs.bytes("one")));
        if (torn) {
            CopiedLog.tearState(copy, 8);
        }
        Path lockFile = copy.resolve("log.lck");
        Files.delete(lockFile);
        assertThatThrownBy(() -> TestLogs.open(copy))
                .isInstanceOf(LogBusyException.class)
                .hasMessage(
                        lockFile + ": the lock file is missing, and the log was not closed: a process may have it open."
                                + " Once none has, make an empty file of that name");
        assertThat(lockFile).doesNotExist();
        Files.createFile(lockFile);
        try (Log log = TestLogs.open(copy)) {
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }

    @Test
    void makesTheLockFileOfALogThatWasClosed() throws IOException {
        TestLogs.open(directory).close();
        Files.delete(directory.resolve("log.lck"));
        TestLogs.open(directory).close();
        assertThat(directory.resolve("log.lck")).exists();
    }

    @Test
    void keepsItsIdentityForEver() {
        LogInfo created;
        try (Log log = TestLogs.open(directory)) {
            created = log.info();
        }
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.info()).isEqualTo(created);
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void findsEverythingAfterACleanCloseAndRecoversNothing(IntegrityMode integrity) {
        LogOptions options =
                TestLogs.options().withIntegrity(integrity).withSync(SyncPolicy.every(Duration.ofHours(1)));
        for (int opening = 0; opening < 4; opening++) {
            try (Log log = Log.open(directory, options);
                    LogAppender appender = log.appender()) {
                assertThat(TestLogs.texts(log)).hasSize(opening * 500);
                for (int i = 0; i < 500; i++) {
                    appender.append(TestLogs.bytes(2000, i));
                }
                assertThat(log.counters()).containsEntry(LogCounter.RECOVERIES, 0L);
                assertThat(log.counters()).containsEntry(LogCounter.RECOVERED_CLAIMS, 0L);
            }
        }
        try (Log log = Log.open(directory, options)) {
            assertThat(log.verify().problems()).isEmpty();
            assertThat(log.verify().records()).isEqualTo(2000);
        }
    }

    /** Nothing was flushed, and nothing has to be: a process that closes cleanly loses nothing, synced or not. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void losesNothingByAClosedLogThatNobodySynced(IntegrityMode integrity) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            appender.append(TestLogs.bytes("two"));
        }
        try (Log log = TestLogs.open(directory, integrity)) {
            assertThat(TestLogs.texts(log)).containsExactly("one", "two");
            assertThat(log.counters()).containsEntry(LogCounter.RECOVERIES, 0L);
        }
    }

    /** Where a process crash cannot be told from a loss of power, seals would cut unsynced records. */
    @Test
    void checksEachRecordByDefaultWhereBootOrMountAreUnknown() {
        Storage unknownBoot = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String bootIdentity() {
                return "";
            }
        };
        Storage unknownMount = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String mountIdentity(Path path) {
                return "";
            }
        };
        Storage known = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String bootIdentity() {
                return "boot";
            }

            @Override
            public String mountIdentity(Path path) {
                return "mount";
            }
        };
        assertThat(defaultIntegrity("boot", unknownBoot)).isEqualTo(IntegrityMode.RECORD);
        assertThat(defaultIntegrity("mount", unknownMount)).isEqualTo(IntegrityMode.RECORD);
        assertThat(defaultIntegrity("known", known)).isEqualTo(IntegrityMode.SEAL);
    }

    private IntegrityMode defaultIntegrity(String name, Storage storage) {
        try (Log log = Log.open(directory.resolve(name), HookedOptions.withStorage(TestLogs.options(), storage))) {
            return log.info().integrity();
        }
    }

    @Test
    void holdsTwoLogsOfDifferentIntegrityAtOnce() {
        try (Log sealed = TestLogs.open(directory.resolve("a"), IntegrityMode.SEAL);
                Log recorded = TestLogs.open(directory.resolve("b"), IntegrityMode.RECORD);
                LogAppender toSealed = sealed.appender();
                LogAppender toRecorded = recorded.appender()) {
            toSealed.append(TestLogs.bytes("sealed"));
            toRecorded.append(TestLogs.bytes("recorded"));
            assertThat(TestLogs.texts(sealed)).containsExactly("sealed");
            assertThat(TestLogs.texts(recorded)).containsExactly("recorded");
            assertThat(sealed.info().integrity()).isEqualTo(IntegrityMode.SEAL);
            assertThat(recorded.info().integrity()).isEqualTo(IntegrityMode.RECORD);
            assertThat(sealed.info().identity()).isNotEqualTo(recorded.info().identity());
        }
    }

    @Test
    void refusesAnotherIntegrityThanTheLogs() {
        TestLogs.open(directory, IntegrityMode.RECORD).close();
        assertThatThrownBy(() -> TestLogs.open(directory, IntegrityMode.NONE))
                .isInstanceOf(LogMismatchException.class)
                .hasMessageContainingAll(directory.toString(), "RECORD", "NONE");
        TestLogs.open(directory, IntegrityMode.RECORD).close();
    }

    @Test
    void refusesAnotherSegmentSizeThanTheLogs() {
        TestLogs.open(directory).close();
        assertThatThrownBy(() -> Log.open(directory, TestLogs.options().withLargestSegmentBytes(4L << 20)))
                .isInstanceOf(LogMismatchException.class)
                .hasMessageContainingAll(directory.toString(), "2097152", "4194304");
    }

    @Test
    void takesTheLogsOwnOptionsWhereNoneAreAsked() {
        TestLogs.open(directory, IntegrityMode.NONE).close();
        try (Log log = Log.open(directory, HookedOptions.withStorage(LogOptions.defaults(), TestLogs.storage()))) {
            assertThat(log.info().integrity()).isEqualTo(IntegrityMode.NONE);
            assertThat(log.info().largestSegmentBytes()).isEqualTo(TestLogs.MIB_2);
        }
    }

    @Test
    void isSharedWithinAJvm() throws IOException {
        Log first = TestLogs.open(directory);
        Path link = Files.createSymbolicLink(directory.resolveSibling(directory.getFileName() + "-link"), directory);
        try (Log second = TestLogs.open(link);
                LogAppender appender = second.appender()) {
            first.close();
            assertThatThrownBy(first::appender).isInstanceOf(ClosedException.class);
            appender.append(TestLogs.bytes("one"));
            assertThat(TestLogs.texts(second)).containsExactly("one");
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void isNotSharedWithOtherOptions() {
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.info().segments()).isOne();
            assertThatThrownBy(() -> Log.open(directory, TestLogs.options().withVerifyReads(true)))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageEndingWith("other options: access.verifyReads is false, asked for true");
        }
    }

    @Test
    void refusesEverythingOnceClosed() {
        Log log = TestLogs.open(directory);
        LogReader reader = log.reader();
        LogAppender appender = log.appender();
        log.close();
        log.close();
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
                List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                        log::appender,
                        log::reader,
                        log::sync,
                        log::durablePosition,
                        log::endPosition,
                        log::info,
                        log::verify,
                        log::counters,
                        () -> log.prepare(1),
                        () -> log.reader(0),
                        () -> reader.poll((segment, offset, length) -> {}),
                        () -> reader.moveTo(0),
                        () -> appender.append(new byte[1]))) {
            assertThatThrownBy(call).isInstanceOf(ClosedException.class).hasMessageContaining(directory.toString());
        }
        reader.close();
        appender.close();
    }

    @Test
    void refusesSegmentsWithoutAControlFile() throws IOException {
        TestLogs.open(directory).close();
        Files.delete(directory.resolve("log.ctl"));
        assertThatThrownBy(() -> TestLogs.open(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContainingAll("0000000000.seg", "log.ctl");
    }

    @Test
    void leavesNothingBehindWhenTheDiskIsFullAtCreation() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        storage.fail(StorageCall.ALLOCATE, 3, () -> new DiskFullException("full"));
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage);
        assertThatThrownBy(() -> Log.open(directory, options)).isInstanceOf(DiskFullException.class);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            assertThat(TestLogs.texts(log)).containsExactly("one");
            assertThat(names(directory)).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    @Test
    void aFullDiskAtARollIsTheAppendsErrorAndClaimsNothing() {
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            storage.failFrom(StorageCall.ALLOCATE, 1, () -> new DiskFullException("full"));
            byte[] large = new byte[500_000];
            for (int i = 0; i < 4; i++) {
                appender.append(large);
            }
            assertThatThrownBy(() -> appender.append(large)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> appender.append(new byte[1])).isInstanceOf(DiskFullException.class);
            assertThat(TestLogs.payloads(log)).hasSize(4);
            assertThat(log.sync()).isEqualTo(log.endPosition());
            storage.heal();
            assertThat(Position.segment(appender.append(large))).isEqualTo(1);
            assertThat(TestLogs.payloads(log)).hasSize(5);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void namesTheSegmentThatIsDamaged() throws IOException {
        TestLogs.open(directory).close();
        Path segment = directory.resolve("0000000000.seg");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[70] ^= 1;
        Files.write(segment, bytes);
        assertThatThrownBy(() -> {
                    try (Log log = TestLogs.open(directory)) {
                        log.reader();
                    }
                })
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining(segment.toString());
    }

    /** The segment's header check is sound: it is a whole segment of another log. */
    @ParameterizedTest
    @CsvSource({"RECORD, 1 (RECORD), 2 (SEAL)", "NONE, 0 (NONE), 2 (SEAL)"})
    void refusesASegmentOfAnotherMode(IntegrityMode other, String found, String expected) throws IOException {
        Path foreign = directory.resolve("foreign");
        TestLogs.open(foreign, other).close();
        Path log = directory.resolve("log");
        TestLogs.open(log, IntegrityMode.SEAL).close();
        Path segment = log.resolve("0000000000.seg");
        Files.copy(foreign.resolve("0000000000.seg"), segment, StandardCopyOption.REPLACE_EXISTING);
        for (boolean readOnly : new boolean[] {true, false}) {
            assertThatThrownBy(() -> readAll(log, TestLogs.options().withReadOnly(readOnly)))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(segment.toString(), "integrity", found, expected);
        }
    }

    private static void readAll(Path log, LogOptions options) {
        try (Log opened = Log.open(log, options)) {
            TestLogs.texts(opened);
        }
    }

    /** Without the refusal, the first segment of a new log failed, with only the system's error text. */
    @ParameterizedTest
    @ValueSource(strings = {"vfat", "exfat", "msdos", "FAT32"})
    void refusesAFileSystemThatHasNoHardLinksBeforeItMakesAFile(String type) {
        Storage storage = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public FileSystemKind fileSystem(Path place) {
                return new FileSystemKind(type);
            }
        };
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage);
        Path log = directory.resolve("log");
        for (boolean remote : new boolean[] {false, true}) {
            assertThatThrownBy(() -> Log.open(log, options.withAllowRemote(remote)))
                    .isInstanceOf(UnsupportedFileSystemException.class)
                    .hasMessageContainingAll(
                            log.toString(), "of type " + type.toLowerCase(Locale.ROOT), "no hard links");
        }
        assertThat(names(log)).isEmpty();
        try (Log made = TestLogs.open(log);
                LogAppender appender = made.appender()) {
            appender.append(TestLogs.bytes("one"));
        }
        try (Log copied = Log.open(log, options.withReadOnly(true))) {
            assertThat(TestLogs.texts(copied)).containsExactly("one");
        }
    }

    /** For other types, for example FUSE, only the first link shows it. Each attempt left a whole segment behind. */
    @Test
    void leavesNoPrivateFileWhereALinkIsRefused() {
        boolean[] refusing = {true};
        Storage storage = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public boolean link(Path existing, Path name) {
                if (refusing[0]) {
                    throw new UnsupportedFileSystemException(name + ": no hard links");
                }
                return super.link(existing, name);
            }
        };
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage);
        assertThatThrownBy(() -> Log.open(directory, options)).isInstanceOf(UnsupportedFileSystemException.class);
        assertThat(names(directory)).noneMatch(name -> name.endsWith(".tmp"));
        refusing[0] = false;
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            refusing[0] = true;
            assertThatThrownBy(() -> TestLogs.fillUpTo(appender, 1, 400_000))
                    .isInstanceOf(UnsupportedFileSystemException.class);
            assertThat(TestLogs.payloads(log)).hasSize(5);
            assertThat(log.sync()).isEqualTo(log.endPosition());
        }
        assertThat(names(directory)).noneMatch(name -> name.endsWith(".tmp"));
    }

    @Test
    void refusesADirectoryThatIsAFile() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> TestLogs.open(file))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(file.toString());
    }

    private static List<String> names(Path directory) {
        return TestLogs.storage().list(directory);
    }
}
