package dev.larder.log.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.CopiedLog;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.TestLogs;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins;
import dev.larder.log.shared.Slots;
import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.StrictStorage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The view of a session that changes nothing, beside writers that live, have died or are just starting. */
@Timeout(300)
final class ReadOnlyViewTest {

    @TempDir
    Path directory;

    /** Opens logs that this JVM has open, as another process would. */
    private static class AnotherProcess extends DelegatingStorage {
        AnotherProcess(Storage storage) {
            super(storage);
        }

        @Override
        public String identity(Path of) {
            return "another process: " + super.identity(of);
        }
    }

    /** Like macOS and Windows: nothing tells one boot from another. */
    private static final class NoBootIdentity extends DelegatingStorage {
        NoBootIdentity(Storage storage) {
            super(storage);
        }

        @Override
        public String bootIdentity() {
            return "";
        }
    }

    private static LogOptions readOnly(LogOptions options) {
        return HookedOptions.withStorage(
                options.withReadOnly(true),
                new AnotherProcess(HookedOptions.of(options).storage()));
    }

    /** Leaves a log whose writer died with two claims open; records stand before, between and behind them. */
    private static void leaveDeadClaims(Path crashed, LogOptions options) {
        Path original = crashed.resolveSibling("original");
        try (Log log = Log.open(original, options);
                LogAppender first = log.appender();
                LogAppender second = log.appender();
                LogAppender third = log.appender()) {
            first.append(TestLogs.bytes("before"));
            first.append(100, (segment, offset, length) -> {
                second.append(TestLogs.bytes("between"));
                second.append(50, (s, o, l) -> {
                    third.append(TestLogs.bytes("behind"));
                    CopiedLog.copy(original, crashed);
                });
            });
        }
    }

    private static List<String> backwards(Log log) {
        List<String> texts = new ArrayList<>();
        try (LogReader reader = log.reader(log.endPosition())) {
            reader.drainBackward(
                    (segment, offset, length) -> texts.add(TestLogs.text(segment, offset, length)), Integer.MAX_VALUE);
        }
        return texts.reversed();
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void readsOnBehindTheClaimsOfTheDead(IntegrityMode integrity) {
        Path crashed = directory.resolve("crashed");
        leaveDeadClaims(crashed, TestLogs.options().withIntegrity(integrity));
        try (Log log = Log.open(crashed, TestLogs.options().withReadOnly(true));
                LogReader reader = log.reader()) {
            assertThat(TestLogs.texts(reader)).containsExactly("before", "between", "behind");
            assertThat(reader.sequence()).isEqualTo(3);
            assertThat(backwards(log)).containsExactly("before", "between", "behind");
            assertThat(log.committedRecords()).isEqualTo(3);
            reader.moveToSequence(2);
            assertThat(TestLogs.texts(reader)).containsExactly("behind");
        }
    }

    /** Without the lock file live processes cannot be found; a copy of a log without that file belongs to no process. */
    @Test
    void readsOnBehindTheClaimsOfACopyWithoutItsLockFile() {
        Path crashed = directory.resolve("crashed");
        leaveDeadClaims(crashed, TestLogs.options());
        TestLogs.storage().delete(crashed.resolve(LockFile.FILE_NAME));
        try (Log log = Log.open(crashed, TestLogs.options().withReadOnly(true))) {
            assertThat(TestLogs.texts(log)).containsExactly("before", "between", "behind");
        }
    }

    /** The live writer appends, but neither reads nor syncs, so it never meets the dead writer's claim. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsOnBehindTheClaimOfTheDeadBesideALiveWriter(boolean succeeded) {
        try (Log writing = TestLogs.open(directory);
                LogAppender appender = writing.appender()) {
            appender.append(TestLogs.bytes("before"));
            claimAsDead(writing, 1, succeeded ? 2 : 1);
            appender.append(TestLogs.bytes("behind"));
            try (Log log = Log.open(directory, readOnly(TestLogs.options()))) {
                assertThat(TestLogs.texts(log)).containsExactly("before", "behind");
                assertThat(backwards(log)).containsExactly("before", "behind");
                assertThat(log.committedRecords()).isEqualTo(2);
            }
            assertThat(backwards(writing)).containsExactly("before", "behind");
        }
    }

    /** Leaves a claim at the log's end, as a process with generation 1 would that had a slot and died. */
    private static void claimAsDead(Log log, int slot, long generationNow) {
        OpenSession.of(log).control.generationRelease(slot, generationNow);
        Pins.Lane lane = new Pins.Lane();
        Segment tail = OpenSession.of(log).segments.enterTail(lane);
        Words.setVolatile(tail.memory, tail.chainEnd(), RecordWord.reserved(40, Slots.owner(slot, 1)));
        OpenSession.of(log).segments.leave(lane, tail);
    }

    /** Only the map's processes can resolve such a claim. */
    @Test
    void waitsForAMapsProcessesToResolveTheClaimsOfTheirDead() {
        LogOptions options = HookedOptions.with(TestLogs.options(), doors -> doors.withLinked(true));
        try (Log writing = Log.open(directory, options)) {
            claimAsDead(writing, 1, 1);
            try (Log log = Log.open(directory, readOnly(TestLogs.options()))) {
                assertThat(log.committedRecords()).isZero();
                assertThat(standsBeforeAClaim(log)).isTrue();
            }
        }
    }

    private static boolean standsBeforeAClaim(Log log) {
        try (LogReader reader = log.reader()) {
            reader.drain((segment, offset, length) -> {}, 1);
            return reader.position() < log.endPosition();
        }
    }

    @Test
    void waitsForTheClaimsOfTheLiving() {
        try (Log writing = TestLogs.open(directory);
                LogAppender appender = writing.appender();
                LogAppender other = writing.appender();
                Log log = Log.open(directory, readOnly(TestLogs.options()));
                LogReader reader = log.reader()) {
            appender.append(5, (segment, offset, length) -> {
                segment.asSlice(offset, length).fill((byte) 'x');
                other.append(TestLogs.bytes("inner"));
                assertThat(TestLogs.texts(reader)).isEmpty();
                assertThat(TestLogs.texts(reader)).isEmpty();
                assertThat(backwards(log)).isEmpty();
                assertThat(log.committedRecords()).isZero();
            });
            assertThat(TestLogs.texts(reader)).containsExactly("xxxxx", "inner");
        }
    }

    @Test
    void seesWhatIsAppendedLaterAlsoWhereNoBootIsKnown() {
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), new NoBootIdentity(TestLogs.storage()));
        try (Log writing = Log.open(directory, options);
                LogAppender appender = writing.appender()) {
            appender.append(TestLogs.bytes("one"));
            try (Log log = Log.open(directory, readOnly(options));
                    LogReader reader = log.reader()) {
                assertThat(TestLogs.texts(reader)).containsExactly("one");
                appender.append(TestLogs.bytes("two"));
                assertThat(TestLogs.texts(reader)).containsExactly("two");
                assertThat(log.endPosition()).isEqualTo(writing.endPosition());
            }
        }
    }

    /** Until a process opens the cut log, only proven records are shown; then all records that the process appends. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void goesOnWhenAProcessHasRecoveredTheLog(IntegrityMode integrity) {
        LogOptions options = HookedOptions.withStorage(
                TestLogs.options().withIntegrity(integrity), new NoBootIdentity(TestLogs.storage()));
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, options, appender -> appender.append(TestLogs.bytes("unsynced")));
        try (Log log = Log.open(crashed, readOnly(options));
                LogReader reader = log.reader()) {
            List<String> proven = TestLogs.texts(reader);
            assertThat(log.endPosition()).isEqualTo(reader.position());
            try (Log writing = Log.open(crashed, options);
                    LogAppender appender = writing.appender()) {
                assertThat(TestLogs.texts(writing)).isEqualTo(proven);
                appender.append(TestLogs.bytes("later"));
                await().atMost(Duration.ofMinutes(2)).until(() -> log.endPosition() == writing.endPosition());
                assertThat(TestLogs.texts(reader)).containsExactly("later");
            }
        }
    }

    @Test
    void saysThatTheCreationOfALogWasCutShort() {
        new Creation(directory, TestLogs.options()).createControl();
        assertThatThrownBy(() -> Log.open(directory, TestLogs.options().withReadOnly(true)))
                .isExactlyInstanceOf(StorageException.class)
                .hasMessage(directory + ": there is no log here yet: its creator died; open it for writing"
                        + " to complete it");
        TestLogs.open(directory).close();
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(TestLogs.texts(log)).isEmpty();
        }
    }

    @Test
    void waitsForAProcessThatIsJustCreatingTheLog() throws InterruptedException {
        new Creation(directory, TestLogs.options()).createControl();
        AtomicReference<Object> opened = new AtomicReference<>("nothing");
        Thread opener = Thread.ofPlatform().unstarted(() -> opened.set(open(directory)));
        try (StorageFile gate = TestLogs.storage()
                .create(directory.resolve(LockFile.FILE_NAME), Access.OWNER)
                .orElseThrow()) {
            assertThat(gate.tryLock(LockFile.GATE)).isTrue();
            opener.start();
            await().atMost(Duration.ofMinutes(2)).until(() -> opener.getState() == Thread.State.TIMED_WAITING);
            assertThat(opened).hasValue("nothing");
        }
        opener.join();
        assertThat(opened.get()).asString().contains("its creator died");
    }

    /** A process that opens or closes the log changes the words of its ending one after the other, and holds GATE meanwhile. */
    @Test
    void waitsForAnEndingThatIsJustChanged() throws InterruptedException, IOException {
        Path crashed = directory.resolve("crashed");
        LogOptions options = TestLogs.options().withIntegrity(IntegrityMode.NONE);
        CopiedLog.whileOpen(crashed, options, appender -> appender.append(TestLogs.bytes("unsynced")));
        AtomicReference<List<String>> shown = new AtomicReference<>(List.of());
        Thread opener = Thread.ofPlatform().unstarted(() -> shown.set(textsOf(crashed)));
        try (StorageFile gate = TestLogs.storage()
                        .open(crashed.resolve(LockFile.FILE_NAME), true)
                        .orElseThrow();
                RandomAccessFile control = new RandomAccessFile(
                        crashed.resolve(ControlLayout.FILE_NAME).toFile(), "rw")) {
            assertThat(gate.tryLock(LockFile.GATE)).isTrue();
            control.seek(ControlLayout.STATE + 8);
            long word = control.readLong();
            control.seek(ControlLayout.STATE + 8);
            control.writeLong(-1);
            opener.start();
            await().atMost(Duration.ofMinutes(2)).until(() -> opener.getState() == Thread.State.TIMED_WAITING);
            control.seek(ControlLayout.STATE + 8);
            control.writeLong(word);
        }
        opener.join();
        assertThat(shown.get()).containsExactly("unsynced");
    }

    private static List<String> textsOf(Path directory) {
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            return TestLogs.texts(log);
        }
    }

    private static Object open(Path directory) {
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            return log.directory();
        } catch (StorageException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** A mapped file cannot be deleted on Windows, nor on the strict storage. */
    @Test
    void unmapsEverythingWhereItCannotBeOpened() throws IOException {
        TestLogs.open(directory, IntegrityMode.SEAL).close();
        damageLog();
        StrictStorage storage = new StrictStorage();
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options().withReadOnly(true), new NoBootIdentity(storage));
        assertThatThrownBy(() -> Log.open(directory, options)).isInstanceOf(CorruptException.class);
        for (String name : storage.list(directory)) {
            assertThat(storage.delete(directory.resolve(name))).as(name).isTrue();
        }
    }

    /** Damages the places and the ending, and records that more was synced than the log contains. */
    private void damageLog() throws IOException {
        CopiedLog.damagePlaces(directory);
        try (RandomAccessFile control =
                new RandomAccessFile(directory.resolve(ControlLayout.FILE_NAME).toFile(), "rw")) {
            control.seek(ControlLayout.STATE + 8);
            control.writeLong(-1); // the ending fails its check
            control.seek(ControlLayout.DURABLE);
            control.writeLong(Long.reverseBytes(Position.of(0, 1 << 20)));
        }
    }
}
