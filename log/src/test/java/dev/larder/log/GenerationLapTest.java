package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.shared.Slots;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A record word holds 16 bits of its writer's generation, which repeat after a slot was taken 65,535 times. The claim of
 * a long dead writer then counted as the newcomer's. Readers and syncs waited for that claim for as long as the newcomer
 * lived.
 */
@Timeout(300)
@Tag("in-memory")
final class GenerationLapTest {

    private static final Path DIRECTORY = Path.of("/", "laps");
    private static final long LAST_OF_A_LAP = 65_535;
    private static final long BETWEEN_LAPS = 65_536;
    private static final long FIRST_OF_THE_NEXT = 65_537;

    private final PowerLossStorage storage = new PowerLossStorage(1);

    @AfterEach
    void close() {
        storage.close();
    }

    /** The storage of one process. Locks belong to the open lock file, so two of these storages act as two processes. */
    private static Storage process(String name, Storage storage) {
        return new DelegatingStorage(storage) {
            @Override
            public String identity(Path directory) {
                return name + super.identity(directory);
            }
        };
    }

    private LogOptions options(String process) {
        return HookedOptions.withStorage(TestLogs.options(), process(process, storage));
    }

    private Log open(String process) {
        return Log.open(DIRECTORY, options(process));
    }

    private Log openAsMap(String process) {
        return Log.open(DIRECTORY, HookedOptions.with(options(process), hooks -> hooks.withLinked(true)));
    }

    private void change(String name, Consumer<MemorySegment> change) {
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            change.accept(file.map(0, file.sizeBytes(), true, arena));
        }
    }

    private void setGeneration(int slot, long generation) {
        change(ControlLayout.FILE_NAME, memory -> Words.setRelease(memory, ControlLayout.generation(slot), generation));
    }

    private long generation(int slot) {
        long[] found = {0};
        change(ControlLayout.FILE_NAME, memory -> found[0] = Words.getAcquire(memory, ControlLayout.generation(slot)));
        return found[0];
    }

    /** Claims the end of a log for a writer that is dead. */
    private void claim(Log log, int slot, int generation) {
        long end = log.endPosition();
        change(
                SegmentLayout.fileName(Position.segment(end)),
                memory -> assertThat(Words.compareAndSet(
                                memory,
                                Position.offset(end),
                                RecordWord.FREE,
                                RecordWord.reserved(100, Slots.owner(slot, generation))))
                        .isTrue());
    }

    /** The slot was left at the last generation of a lap, or by a process that died between two laps. */
    @ParameterizedTest
    @ValueSource(longs = {LAST_OF_A_LAP, BETWEEN_LAPS})
    void settlesWhatWasLeftOfTheLapBefore(long left) {
        try (Log log = open("a");
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            claim(log, 1, 1);
            appender.append(TestLogs.bytes("between"));
            claim(log, 1, 2);
            int filled = TestLogs.fillUpTo(appender, 1, 500_000);
            claim(log, 1, 1);
            appender.append(TestLogs.bytes("behind"));
            setGeneration(1, left);
            try (Log newcomer = open("b");
                    LogAppender second = newcomer.appender()) {
                assertThat(generation(1)).isEqualTo(FIRST_OF_THE_NEXT);
                second.append(TestLogs.bytes("the newcomer's"));
                for (Log each : new Log[] {log, newcomer}) {
                    assertThat(TestLogs.payloads(each)).hasSize(filled + 4);
                    assertThat(each.sync()).isEqualTo(each.endPosition());
                    assertThat(each.verify().abandoned()).isEqualTo(3);
                }
            }
        }
    }

    /** The newcomer opens first. It finds a log that was closed cleanly, without a sync, over a dead writer's claim. */
    @Test
    void settlesWhatACleanCloseHasLeft() {
        try (Log log = open("a");
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            claim(log, 0, 1);
            appender.append(TestLogs.bytes("behind"));
        }
        setGeneration(0, LAST_OF_A_LAP);
        try (Log newcomer = open("b")) {
            assertThat(generation(0)).isEqualTo(FIRST_OF_THE_NEXT);
            assertThat(TestLogs.texts(newcomer)).containsExactly("before", "behind");
            assertThat(newcomer.sync()).isEqualTo(newcomer.endPosition());
        }
    }

    /** A process is killed after it settled one of two claims. The slot's next owner must not assume that both are settled. */
    @Test
    void beginsALapOnlyWhenEveryClaimIsSettled() {
        try (Log log = open("a");
                LogAppender appender = log.appender()) {
            claim(log, 1, 7);
            claim(log, 1, 2);
            appender.append(TestLogs.bytes("behind"));
            setGeneration(1, LAST_OF_A_LAP);
            LogOptions killed = HookedOptions.withFailpoints(
                    HookedOptions.withStorage(TestLogs.options(), process("b", storage)),
                    GenerationLapTest::dieOnceSettled);
            assertThatThrownBy(() -> Log.open(DIRECTORY, killed)).hasMessage("killed");
            try (Log newcomer = open("c")) {
                assertThat(generation(1)).isEqualTo(FIRST_OF_THE_NEXT);
                assertThat(TestLogs.texts(log)).containsExactly("behind");
                assertThat(newcomer.sync()).isEqualTo(log.endPosition());
            }
            open("d").close();
            assertThat(generation(1)).isEqualTo(FIRST_OF_THE_NEXT + 1);
        }
    }

    /**
     * Only the processes of a map know whether its index leads to a dead process's claim. A process that had the log
     * open, but not the map, turned the claim into padding.
     */
    @ParameterizedTest
    @ValueSource(longs = {LAST_OF_A_LAP, BETWEEN_LAPS})
    void leavesTheClaimsOfAMapToItsProcesses(long left) {
        try (Log log = openAsMap("a")) {
            claim(log, 1, 1);
            setGeneration(1, left);
            try (Log stranger = open("b")) {
                assertThat(stranger.verify().openClaims()).isEqualTo(1);
                assertThat(generation(1)).isEqualTo(left);
                assertThat(generation(2)).isEqualTo(1);
            }
            try (Log other = openAsMap("c")) {
                assertThat(generation(1)).isEqualTo(FIRST_OF_THE_NEXT);
                assertThat(other.verify().openClaims()).isZero();
            }
        }
    }

    private static void dieOnceSettled(String step) {
        if (step.equals("recover.settled")) {
            throw new IllegalStateException("killed");
        }
    }

    @Test
    void leavesTheClaimsOfTheLivingAlone() {
        try (Log log = open("a");
                LogAppender appender = log.appender();
                LogAppender second = log.appender()) {
            setGeneration(1, LAST_OF_A_LAP);
            appender.append(5, (segment, offset, length) -> {
                second.append(TestLogs.bytes("inner"));
                claim(log, 1, 1);
                open("b").close();
                MemorySegment.copy(MemorySegment.ofArray(TestLogs.bytes("outer")), 0, segment, offset, length);
            });
            assertThat(TestLogs.texts(log)).containsExactly("outer", "inner");
            assertThat(log.verify().abandoned()).isEqualTo(1);
        }
    }
}
