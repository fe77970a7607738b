package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are missing, that belong to another log, or that are older than the rest: each is an error, never the log's end. */
@Timeout(120)
final class LostSegmentsTest {

    private static final RecordHandler NOBODY = (segment, offset, length) -> {};

    @TempDir
    Path directory;

    private final List<Long> positions = new ArrayList<>();

    private static LogOptions readOnly() {
        return TestLogs.options().withReadOnly(true);
    }

    /** Fills segments 0 to 3. */
    private void write(Path where, IntegrityMode integrity) {
        try (Log log = TestLogs.open(where, integrity);
                LogAppender appender = log.appender()) {
            long position = 0;
            while (Position.segment(position) < 3) {
                position = appender.append(new byte[100_000]);
                positions.add(position);
            }
            log.sync();
        }
    }

    private Path segment(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
    }

    private static int drain(LogReader reader) {
        int all = 0;
        int some = 1;
        while (some > 0) {
            some = reader.drain(NOBODY, 7);
            all += some;
        }
        return all;
    }

    @Test
    void aMissingSegmentIsAnErrorForWhoReads() throws IOException {
        write(directory, IntegrityMode.RECORD);
        Files.delete(segment(1));
        long before = positions.stream().filter(at -> Position.segment(at) == 0).count();
        try (Log log = Log.open(directory, readOnly());
                LogReader reader = log.reader()) {
            int[] read = new int[1];
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> {
                            while (reader.poll((segment, offset, length) -> read[0]++)) {
                                Thread.onSpinWait();
                            }
                        })
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContainingAll(segment(1).toString(), "missing");
            }
            assertThat(read[0]).isEqualTo((int) before);
            reader.moveTo(log.endPosition());
            assertThatThrownBy(() -> reader.drainBackward(NOBODY, Integer.MAX_VALUE))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(segment(1).toString(), "missing");
            assertThatThrownBy(() -> reader.moveTo(Position.of(1, 8192)))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(segment(1).toString(), "missing");
            assertThat(log.verify().problems()).anyMatch(text -> text.contains(segment(1) + ": segment is missing"));
        }
    }

    @Test
    void aLogThatHasLostASegmentIsNotOpenedForWriting() throws IOException {
        write(directory, IntegrityMode.RECORD);
        Files.delete(segment(1));
        assertThatThrownBy(() -> TestLogs.open(directory))
                .isInstanceOf(CorruptException.class)
                .hasMessageContainingAll(segment(1).toString(), "missing", "segments 0 to 3");
    }

    /** The file is deleted while the log is open. */
    @Test
    void aSegmentThatGoesWhileTheLogIsOpenIsAnError() throws IOException {
        write(directory, IntegrityMode.RECORD);
        try (Log log = TestLogs.open(directory);
                LogReader reader = log.reader()) {
            Files.delete(segment(2));
            assertThatThrownBy(() -> drain(reader))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(segment(2).toString(), "missing");
        }
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void theSegmentOfAnotherLogIsNotRead(IntegrityMode integrity, @TempDir Path other) throws IOException {
        write(directory, integrity);
        write(other, integrity);
        Files.copy(other.resolve(SegmentLayout.fileName(1)), segment(1), StandardCopyOption.REPLACE_EXISTING);
        try (Log log = Log.open(directory, readOnly());
                LogReader reader = log.reader()) {
            assertThatThrownBy(() -> drain(reader))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(
                            segment(1).toString(),
                            "another log",
                            log.info().identity().toString());
            assertThat(log.verify().problems()).anyMatch(text -> text.contains("another log"));
        }
    }

    /** A write that never reached the disk: from a synced record on, the file contains zeros. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void verificationMissesWhatWasSyncedAndIsGone(IntegrityMode integrity) throws IOException {
        write(directory, integrity);
        long last = positions.get(positions.size() - 1);
        long durable;
        try (Log log = Log.open(directory, readOnly())) {
            durable = log.durablePosition();
        }
        try (FileChannel file = FileChannel.open(segment(Position.segment(last)), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(200_000), Position.offset(last));
        }
        try (Log log = Log.open(directory, readOnly())) {
            assertThat(log.verify().problems())
                    .anyMatch(text -> text.contains("stops at position " + Position.toString(last))
                            && text.contains("synced up to " + Position.toString(durable)));
        }
    }

    /** A claim stays open in a segment behind which the log continued; its writer lives, or has died. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void verificationGoesOverOpenClaims(IntegrityMode integrity, @TempDir Path copy) {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender slow = log.appender();
                LogAppender appender = log.appender()) {
            slow.append(16, (segment, offset, length) -> {
                for (int i = 0; i < 60; i++) {
                    appender.append(new byte[100_000]);
                }
                VerifyReport report = log.verify();
                assertThat(report.problems()).isEmpty();
                assertThat(report.openClaims()).isEqualTo(1);
                assertThat(report.records()).isEqualTo(60);
                CopiedLog.copy(directory, copy);
            });
            VerifyReport report = log.verify();
            assertThat(report.problems()).isEmpty();
            assertThat(report.openClaims()).isZero();
            assertThat(report.records()).isEqualTo(61);
        }
        try (Log log = Log.open(copy, readOnly())) {
            VerifyReport report = log.verify();
            assertThat(report.problems()).isEmpty();
            assertThat(report.openClaims()).isEqualTo(1);
        }
    }

    /** The first pages of log.ctl are those of an earlier close. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void aStaleControlPageDoesNotHideWhatCameLater(IntegrityMode integrity) throws IOException {
        try (Log log = TestLogs.open(directory, integrity);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("first"));
            log.sync();
        }
        Path control = directory.resolve(ControlLayout.FILE_NAME);
        byte[] stale = new byte[8192];
        System.arraycopy(Files.readAllBytes(control), 0, stale, 0, stale.length);
        write(directory, integrity);
        for (int more = 0; more < 2; more++) {
            try (FileChannel file = FileChannel.open(control, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(stale), 0);
            }
            try (Log log = TestLogs.open(directory);
                    LogAppender appender = log.appender();
                    LogReader reader = log.reader()) {
                assertThat(log.endPosition()).isGreaterThan(positions.getLast());
                assertThat(drain(reader)).isEqualTo(1 + positions.size());
                positions.add(appender.append(new byte[100]));
                log.sync();
                assertThat(log.verify().problems()).isEmpty();
            }
        }
    }

    /** The opening had mapped the cut segment, to check the control file's age. The segment that took its number had no file. */
    @Test
    void aSegmentThatWasCutIsMadeAnew() {
        Path path = Path.of("/", "cut");
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            LogOptions options = HookedOptions.withStorage(TestLogs.options(), power)
                    .withIntegrity(IntegrityMode.NONE)
                    .withSync(SyncPolicy.none());
            try (Log log = Log.open(path, options);
                    LogAppender appender = log.appender()) {
                while (Position.segment(appender.append(new byte[100_000])) == 0) {
                    Thread.onSpinWait();
                }
            }
            power.syncAll();
            try (PowerLossStorage image = power.image(new SplittableRandom(1));
                    Log log = Log.open(path, HookedOptions.withStorage(options, image));
                    LogAppender appender = log.appender()) {
                assertThat(Position.segment(log.endPosition())).isEqualTo(1);
                assertThat(image.open(path.resolve(SegmentLayout.fileName(1)), false))
                        .isPresent();
                appender.append(new byte[] {42});
                assertThat(TestLogs.payloads(log)).hasSize(1);
            }
        }
    }

    /** Otherwise a second power loss could bring the deleted segments back, behind an END that leads to them. */
    @Test
    void whatARecoveryDeletedThatFailedIsDeletedDurablyByTheNext() {
        LogOptions options = TestLogs.options().withIntegrity(IntegrityMode.NONE);
        CopiedLog.whileOpen(directory.resolve("copy"), options, appender -> TestLogs.fillUpTo(appender, 2, 100_000));
        FaultyStorage storage = new FaultyStorage(new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String mountIdentity(Path where) {
                return "after a loss of power";
            }
        });
        storage.fail(StorageCall.SYNC_DIRECTORY, 1, () -> new StorageException("the directory is not flushed"));
        LogOptions again = HookedOptions.withStorage(options, storage);
        assertThatThrownBy(() -> Log.open(directory.resolve("copy"), again))
                .hasMessageContaining("the directory is not flushed");
        assertThat(directory.resolve("copy").resolve(SegmentLayout.fileName(1))).doesNotExist();
        storage.failFrom(StorageCall.FORCE, 1, () -> new StorageException("END is not flushed"));
        assertThatThrownBy(() -> Log.open(directory.resolve("copy"), again)).hasMessageContaining("END is not flushed");
        assertThat(storage.count(StorageCall.SYNC_DIRECTORY)).isEqualTo(2);
    }
}
