package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.PowerLossStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both copies of the place are damaged. Every sync of such a log failed for good. A log whose copies were zeros was cut
 * at its start after a loss of power.
 */
@Timeout(300)
@Tag("in-memory")
final class DamagedPlacesTest {

    private static final Path DIRECTORY = Path.of("/", "places");
    private static final int SYNCED = 12;
    private static final int LENGTH = 300_000;

    private final SplittableRandom random = new SplittableRandom(3);

    private static LogOptions options(Storage storage, IntegrityMode integrity) {
        return HookedOptions.withStorage(TestLogs.options(), storage).withIntegrity(integrity);
    }

    private static void append(LogAppender appender, int from, int to) {
        for (int i = from; i < to; i++) {
            appender.append(TestLogs.bytes(LENGTH, i));
        }
    }

    private static void assertFirst(Log log, int least) {
        List<byte[]> found = TestLogs.payloads(log);
        assertThat(found).hasSizeGreaterThanOrEqualTo(least);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).isEqualTo(TestLogs.bytes(LENGTH, i));
        }
    }

    private static void change(Storage storage, String name, Consumer<MemorySegment> change) {
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            change.accept(file.map(0, file.sizeBytes(), true, arena));
            file.forceAll();
        }
    }

    private static void damagePlaces(Storage storage, byte with) {
        change(storage, ControlLayout.FILE_NAME, memory -> {
            memory.asSlice(ControlLayout.PLACE_A, 32).fill(with);
            memory.asSlice(ControlLayout.PLACE_B, 32).fill(with);
        });
    }

    /** A cleanly closed log knows its end. It continues, and records that are synced from then on survive a loss of power. */
    @ParameterizedTest
    @CsvSource({"NONE, 0", "RECORD, 0", "SEAL, 0", "NONE, 85", "RECORD, 85", "SEAL, 85"})
    void loseNothingOfALogThatWasClosed(IntegrityMode integrity, byte with) {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            LogOptions options = options(power, integrity);
            try (Log log = Log.open(DIRECTORY, options);
                    LogAppender appender = log.appender()) {
                append(appender, 0, SYNCED);
                log.sync();
            }
            damagePlaces(power, with);
            try (Log log = Log.open(DIRECTORY, options);
                    LogAppender appender = log.appender()) {
                assertFirst(log, SYNCED);
                assertKeptByImages(power, integrity, SYNCED);
                for (int i = SYNCED; i < SYNCED + 3; i++) {
                    append(appender, i, i + 1);
                    assertThat(log.sync()).isEqualTo(log.endPosition());
                    assertKeptByImages(power, integrity, i + 1);
                }
            }
        }
    }

    private void assertKeptByImages(PowerLossStorage power, IntegrityMode integrity, int synced) {
        for (int i = 0; i < 5; i++) {
            try (PowerLossStorage image = power.image(random);
                    Log log = Log.open(DIRECTORY, options(image, integrity))) {
                assertFirst(log, synced);
            }
        }
    }

    /** After a power cut during the rewrite of the copies, an opening finds the log as it was closed, or the new copies. */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void areMendedBeforeTheLogIsInUse(IntegrityMode integrity) {
        try (PowerLossStorage power = new PowerLossStorage(2)) {
            try (Log log = Log.open(DIRECTORY, options(power, integrity));
                    LogAppender appender = log.appender()) {
                append(appender, 0, SYNCED);
                log.sync();
            }
            damagePlaces(power, (byte) 0x55);
            List<PowerLossStorage> images = new ArrayList<>();
            power.beforeEachStep(() -> {
                for (int i = 0; i < 5; i++) {
                    images.add(power.image(random));
                }
            });
            Log.open(DIRECTORY, options(power, integrity)).close();
            assertThat(images).hasSizeGreaterThan(10);
            for (PowerLossStorage image : images) {
                try (image;
                        Log log = Log.open(DIRECTORY, options(image, integrity))) {
                    assertFirst(log, SYNCED);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"RECORD, 0", "SEAL, 0", "RECORD, 85", "SEAL, 85"})
    void leaveTheProofOfEveryRecordAfterALossOfPower(IntegrityMode integrity, byte with) {
        try (PowerLossStorage power = new PowerLossStorage(3)) {
            try (Log log = Log.open(DIRECTORY, options(power, integrity));
                    LogAppender appender = log.appender()) {
                append(appender, 0, SYNCED);
                log.sync();
                append(appender, SYNCED, SYNCED + 6);
                for (int i = 0; i < 10; i++) {
                    assertReadAndWritten(power.image(random), integrity, with);
                }
            }
        }
    }

    private void assertReadAndWritten(PowerLossStorage image, IntegrityMode integrity, byte with) {
        try (image) {
            damagePlaces(image, with);
            LogOptions options = options(image, integrity);
            try (Log log = Log.open(DIRECTORY, options.withReadOnly(true))) {
                assertFirst(log, SYNCED);
            }
            try (Log log = Log.open(DIRECTORY, options);
                    LogAppender appender = log.appender()) {
                assertFirst(log, SYNCED);
                int kept = TestLogs.payloads(log).size();
                append(appender, kept, kept + 1);
                log.sync();
                assertThat(log.verify().problems()).isEmpty();
                assertKeptByImages(image, integrity, kept + 1);
            }
        }
    }

    /** Without a place, damage looks like the end of the proof. Records behind it that are known to be synced must not be cut. */
    @ParameterizedTest
    @EnumSource(
            value = IntegrityMode.class,
            names = {"RECORD", "SEAL"})
    void doNotLetSyncedRecordsBeCutBehindDamage(IntegrityMode integrity) {
        try (PowerLossStorage power = new PowerLossStorage(4)) {
            try (Log log = Log.open(DIRECTORY, options(power, integrity));
                    LogAppender appender = log.appender()) {
                append(appender, 0, SYNCED);
                log.sync();
                append(appender, SYNCED, SYNCED + 1);
                log.sync();
                power.syncAll();
                try (PowerLossStorage image = power.image(random)) {
                    damagePlaces(image, (byte) 0x55);
                    change(image, "0000000000.seg", DamagedPlacesTest::flipAByte);
                    assertRefused(image, integrity, "0000000000.seg", "0:", "log.ctl", "4096", "8192");
                }
            }
        }
    }

    private static void flipAByte(MemorySegment memory) {
        byte before = memory.get(ValueLayout.JAVA_BYTE, 1_000_000);
        memory.set(ValueLayout.JAVA_BYTE, 1_000_000, (byte) ~before);
    }

    private static void assertRefused(PowerLossStorage storage, IntegrityMode integrity, String... words) {
        List<String> before = named(storage);
        for (boolean readOnly : new boolean[] {true, false}) {
            LogOptions options = options(storage, integrity).withReadOnly(readOnly);
            assertThatThrownBy(() -> Log.open(DIRECTORY, options))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll(words);
        }
        assertThat(named(storage)).containsExactlyInAnyOrderElementsOf(before);
    }

    /** Leaves out files with the private name of a dead process: they belong to no process, and an opening deletes them. */
    private static List<String> named(Storage storage) {
        return storage.list(DIRECTORY).stream()
                .filter(name -> !name.endsWith(".tmp"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0", "85"})
    void areRefusedAfterALossOfPowerWhereNothingElseProvesARecord(byte with) {
        try (PowerLossStorage power = new PowerLossStorage(5)) {
            try (Log log = Log.open(DIRECTORY, options(power, IntegrityMode.NONE));
                    LogAppender appender = log.appender()) {
                append(appender, 0, SYNCED);
                log.sync();
                try (PowerLossStorage image = power.image(random)) {
                    damagePlaces(image, with);
                    assertRefused(
                            image,
                            IntegrityMode.NONE,
                            DIRECTORY.resolve("log.ctl").toString(),
                            "4096",
                            "8192");
                }
            }
        }
    }
}
