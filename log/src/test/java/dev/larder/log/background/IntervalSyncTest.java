package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.TestLogs;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.open.Opening;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Member;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Access;
import dev.larder.memory.Crc32c;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Syncs at a pace, of what this process has appended, and of what a killed one has left. */
@Timeout(300)
final class IntervalSyncTest {

    private static final int OTHER = 1;
    private static final SyncPolicy POLICY = SyncPolicy.every(Duration.ofMillis(5));
    private static final long LATER = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path directory;

    private LogSession session;
    private IntervalSync sync;
    private long now;

    @BeforeEach
    void open() {
        session = new Opening(directory, TestLogs.options()).open();
        LogSession.Writing writing = session.writing();
        Member member = new Member(writing.locks(), writing.slot());
        sync = new IntervalSync(
                POLICY,
                writing.syncer(),
                session.control,
                new OtherProcesses(session.control, member),
                session.storage,
                () -> {});
        now = session.storage.nanoTime() + LATER;
    }

    @AfterEach
    void close() {
        session.close();
    }

    /** Does what another process does that registers, appends, and is killed. */
    private static void leave(LogSession session) {
        session.control.generationRelease(OTHER, session.control.generationAcquire(OTHER) + 1);
        Lane lane = new Lane();
        Segment segment = session.segments.enterTail(lane);
        byte[] bytes = TestLogs.bytes("left");
        long at = segment.chainEnd();
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment.memory, at + RecordWord.BYTES, bytes.length);
        int crc = Crc32c.of(segment.memory, at + RecordWord.BYTES, bytes.length);
        long word = RecordWord.committed(segment.salt, segment.position(at), bytes.length, crc);
        assertThat(Words.compareAndSet(segment.memory, at, RecordWord.FREE, word))
                .isTrue();
        session.segments.leave(lane, segment);
    }

    private boolean runLater() {
        now += LATER;
        return sync.run(now, session.traffic.bytes());
    }

    private boolean isAllDurable() {
        return session.durablePosition() == session.endPosition();
    }

    /** Its own process is idle: nobody else would do it as long as the machine runs. */
    @Test
    void whatAKilledProcessHasLeftIsFoundByALook() {
        assertThat(runLater()).as("its first sync").isTrue();
        for (int killed = 0; killed < 3; killed++) {
            leave(session);
            assertThat(isAllDurable()).isFalse();
            runLater(); // it may be one that lives, and syncs by itself
            runLater();
            assertThat(isAllDurable()).isTrue();
        }
    }

    @Test
    void whatOthersSyncIsLeftToThem() {
        runLater();
        runLater();
        leave(session);
        assertThat(runLater()).isTrue(); // nothing was synced since the look before
        for (int i = 0; i < 3; i++) {
            leave(session);
            session.syncAll();
            leave(session);
            assertThat(runLater()).isFalse();
            assertThat(isAllDurable()).isFalse();
        }
    }

    /** A thousand idle logs of a server are looked at by some loads each. */
    @Test
    void whoIsAloneSyncsNothing() {
        runLater();
        runLater();
        runLater();
        assertThat(runLater()).isFalse();
        leave(session);
        assertThat(runLater()).isTrue();
        assertThat(isAllDurable()).isTrue();
        assertThat(runLater()).isFalse();
        assertThat(sync.untilLookNanos(now)).isPositive();
    }

    /** It appends whenever it likes, without registering once more. */
    @Test
    void aProcessThatLivesIsLookedAtAgainAndAgain() {
        session.control.generationRelease(OTHER, 1);
        try (StorageFile other = TestLogs.storage()
                .open(directory.resolve(LockFile.FILE_NAME), true)
                .orElseThrow()) {
            assertThat(other.tryLock(LockFile.live(OTHER))).isTrue();
            runLater();
            for (int i = 0; i < 3; i++) {
                runLater();
                assertThat(runLater()).isTrue();
            }
        }
    }

    /** The background does it, from the opening on: this process neither appends nor reads. */
    @Test
    void theBackgroundLooksByItself() {
        Path idle = directory.resolve("idle");
        session.storage.createDirectories(idle, Access.OWNER);
        LogOptions options = TestLogs.options().withSync(POLICY);
        LogSession reading = new Opening(idle, options).open();
        try {
            leave(reading);
            await().atMost(Duration.ofMinutes(2)).until(() -> reading.durablePosition() == reading.endPosition());
            leave(reading);
            await().atMost(Duration.ofMinutes(2)).until(() -> reading.durablePosition() == reading.endPosition());
        } finally {
            reading.close();
        }
    }
}
