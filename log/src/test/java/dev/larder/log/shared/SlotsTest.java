package dev.larder.log.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogCounter;
import dev.larder.log.TestLogs;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.Opening;
import dev.larder.log.shared.ControlFile.State;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.PowerLossStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registration while another process judges a slot's dead owner: the judge may share the slot's LIVE byte for any time. */
@Tag("in-memory")
final class SlotsTest {

    private static final Path DIRECTORY = Path.of("/log");

    private static LogSession open(Storage storage) {
        storage.createDirectories(DIRECTORY, Access.OWNER);
        return new Opening(DIRECTORY, HookedOptions.withStorage(TestLogs.options(), storage)).open();
    }

    private static StorageFile locks(Storage storage) {
        return storage.open(DIRECTORY.resolve(LockFile.FILE_NAME), true).orElseThrow();
    }

    private static State state(Storage storage) {
        Path path = DIRECTORY.resolve(ControlLayout.FILE_NAME);
        try (ControlFile control = new ControlFile(storage.open(path, true).orElseThrow(), true)) {
            return control.ending().orElseThrow().state();
        }
    }

    @Test
    void takesTheNextOne() {
        try (PowerLossStorage storage = new PowerLossStorage(1)) {
            open(storage).close();
            try (StorageFile judge = locks(storage)) {
                assertThat(judge.tryLockShared(LockFile.live(0))).isTrue();
                LogSession session = open(storage);
                assertThat(session.writing().slot()).isEqualTo(1);
                session.close();
            }
            LogSession session = open(storage);
            assertThat(session.writing().slot()).isZero();
            session.close();
        }
    }

    /** If the judging process counted as live, the log could be written to while it is recorded as closed. */
    @Test
    void doesNotTakeAJudgeForALiveProcess() {
        try (PowerLossStorage storage = new PowerLossStorage(1)) {
            open(storage).close();
            try (StorageFile judge = locks(storage)) {
                assertThat(judge.tryLockShared(LockFile.live(0))).isTrue();
                LogSession session = open(storage);
                assertThat(state(storage)).isEqualTo(State.OPEN);
                session.close();
                assertThat(state(storage)).isEqualTo(State.CLEAN);
            }
        }
    }

    /** The search for live processes stops at the first slot that was never used. */
    @Test
    void findsALiveProcessBehindASlotThatWasLeftOut() {
        try (PowerLossStorage storage = new PowerLossStorage(1);
                StorageFile judge = made(storage)) {
            assertThat(judge.tryLockShared(LockFile.live(0))).isTrue();
            LogSession first = open(storage);
            assertThat(first.writing().slot()).isEqualTo(1);
            judge.unlock(LockFile.live(0));
            LogSession second = open(storage);
            assertThat(second.counters.values()).containsEntry(LogCounter.RECOVERIES, 0L);
            second.close();
            assertThat(state(storage)).isEqualTo(State.OPEN);
            first.close();
            assertThat(state(storage)).isEqualTo(State.CLEAN);
        }
    }

    private static StorageFile made(Storage storage) {
        storage.createDirectories(DIRECTORY, Access.OWNER);
        return storage.create(DIRECTORY.resolve(LockFile.FILE_NAME), Access.OWNER)
                .orElseThrow();
    }
}
