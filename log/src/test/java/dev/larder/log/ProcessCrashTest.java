package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.layer.ClaimResolver;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as a killed process leaves them, opened again in the same boot. */
@Timeout(300)
final class ProcessCrashTest {

    @TempDir
    Path directory;

    private static void assumeThatBootAndMountAreKnown(Path directory) {
        assumeThat(MemoryIdentity.of(TestLogs.storage(), directory).isKnown())
                .as("boot and mount are known: without native calls a crash is taken for a loss of power")
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void losesNothingThatWasAppended(IntegrityMode integrity) {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, TestLogs.options().withIntegrity(integrity), appender -> {
            for (int i = 0; i < 3000; i++) {
                appender.append(TestLogs.bytes(1000, i));
            }
        });
        try (Log log = TestLogs.open(crashed)) {
            assertThat(TestLogs.payloads(log)).hasSize(3000);
            assertThat(log.verify().problems()).isEmpty();
            assertThat(log.counters())
                    .containsEntry(LogCounter.RECOVERIES, 1L)
                    .containsEntry(LogCounter.RECOVERED_CLAIMS, 0L);
        }
    }

    /** The next process appends nothing, and perhaps only reads. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isSyncedByThePolicyOfTheNextProcess(boolean appends) {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, TestLogs.options(), appender -> appender.append(TestLogs.bytes("left")));
        try (Log log = Log.open(crashed, TestLogs.options().withSync(SyncPolicy.every(Duration.ofMillis(5))))) {
            Optional<LogAppender> appender = appends ? Optional.of(log.appender()) : Optional.empty();
            await().atMost(Duration.ofMinutes(2)).until(() -> log.durablePosition() == log.endPosition());
            appender.ifPresent(LogAppender::close);
            assertThat(TestLogs.texts(log)).containsExactly("left");
        }
    }

    @Test
    void turnsTheClaimsOfTheDeadIntoPadding() {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        Path original = directory.resolve("original");
        try (Log log = TestLogs.open(original);
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
        try (Log log = TestLogs.open(crashed);
                LogAppender appender = log.appender()) {
            assertThat(log.counters()).containsEntry(LogCounter.RECOVERED_CLAIMS, 2L);
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.texts(log)).containsExactly("before", "between", "behind", "after");
            assertThat(log.verify().problems()).isEmpty();
            assertThat(log.verify().abandoned()).isEqualTo(2);
        }
    }

    /** A structure above the log may know that a claim is complete, and keep it. */
    @Test
    void commitsTheClaimsThatTheResolverKnows() {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        Path original = directory.resolve("original");
        LogOptions options = TestLogs.options().withIntegrity(IntegrityMode.RECORD);
        try (Log log = Log.open(original, options);
                LogAppender appender = log.appender()) {
            appender.append(5, (segment, offset, length) -> {
                MemorySegment.copy(MemorySegment.ofArray(TestLogs.bytes("whole")), 0, segment, offset, length);
                CopiedLog.copy(original, crashed);
            });
        }
        ClaimResolver keep = (segment, offset, length, position) -> {
            assertThat(position).isEqualTo(Position.of(0, 8192));
            return segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, offset) == 'w' && length == 5;
        };
        try (Log log = Log.open(
                crashed,
                HookedOptions.with(options, doors -> doors.withResolver(keep)).withVerifyReads(true))) {
            assertThat(TestLogs.texts(log)).containsExactly("whole");
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    /** Memory is intact, including the word that says up to where the log was synced. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void mendsDamagedPlaces(IntegrityMode integrity) {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, TestLogs.options().withIntegrity(integrity), appender -> {
            for (int i = 0; i < 3000; i++) {
                appender.append(TestLogs.bytes(1000, i));
            }
        });
        CopiedLog.damagePlaces(crashed);
        try (Log log = TestLogs.open(crashed);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("after"));
            assertThat(TestLogs.payloads(log)).hasSize(3001);
            assertThat(log.sync()).isEqualTo(log.endPosition());
        }
    }

    @Test
    void unlinksThePrivateFilesOfTheDead() {
        assumeThatBootAndMountAreKnown(directory);
        Path crashed = directory.resolve("crashed");
        CopiedLog.whileOpen(crashed, TestLogs.options(), appender -> appender.append(new byte[8]));
        try (Arena arena = Arena.ofConfined();
                dev.larder.memory.StorageFile file = TestLogs.storage()
                        .create(crashed.resolve("p-0-1-7.tmp"), dev.larder.memory.Access.OWNER)
                        .orElseThrow()) {
            file.write(arena.allocate(10), 0);
        }
        try (Log log = TestLogs.open(crashed)) {
            assertThat(log.info().segments()).isOne();
            assertThat(TestLogs.storage().list(crashed)).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    /** Storage of a boot and a mount that are always known, and of another boot after a loss of power. */
    private static Storage inBoot(String boot) {
        return new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String bootIdentity() {
                return boot;
            }

            @Override
            public String mountIdentity(Path path) {
                return "mount";
            }
        };
    }

    private void leaveTorn(Path crashed, IntegrityMode integrity, long word) {
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options(), inBoot("one")).withIntegrity(integrity);
        CopiedLog.whileOpen(crashed, options, appender -> {
            for (int i = 0; i < 3000; i++) {
                appender.append(TestLogs.bytes(1000, i));
            }
        });
        CopiedLog.tearState(crashed, word);
    }

    /** A process that was killed while it stored how it leaves the log was taken for a loss of power. */
    @ParameterizedTest
    @CsvSource({"NONE, 0", "NONE, 8", "NONE, 16", "SEAL, 0", "SEAL, 8", "SEAL, 16", "RECORD, 8"})
    void losesNothingWhereTheStateIsTorn(IntegrityMode integrity, long word) {
        Path crashed = directory.resolve("crashed");
        leaveTorn(crashed, integrity, word);
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), inBoot("one"));
        try (Log log = Log.open(crashed, options.withReadOnly(true))) {
            assertThat(TestLogs.payloads(log)).hasSize(3000);
        }
        try (Log log = Log.open(crashed, options)) {
            assertThat(TestLogs.payloads(log)).hasSize(3000);
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void believesNothingOfATornStateOfAnotherBoot() {
        Path crashed = directory.resolve("crashed");
        leaveTorn(crashed, IntegrityMode.NONE, 8);
        try (Log log = Log.open(crashed, HookedOptions.withStorage(TestLogs.options(), inBoot("two")))) {
            assertThat(TestLogs.payloads(log)).isEmpty();
        }
    }
}
