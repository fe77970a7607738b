package dev.larder.log.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.TestLogs;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.open.Opening;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.Access;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interval syncs of records that this process has appended, and of records that a killed process has left. */
@Timeout(300)
final class IntervalSyncTest {

    private static final SyncPolicy POLICY = SyncPolicy.every(Duration.ofMillis(5));
    private static final long LATER = Duration.ofMinutes(1).toNanos();

    @TempDir
    Path directory;

    private Log log;
    private LogSession session;
    private BackgroundLane lane;
    private IntervalSync sync;
    private long now;

    @BeforeEach
    void open() {
        log = TestLogs.open(directory);
        session = OpenSession.of(log);
        sync = new IntervalSync(POLICY, session.writing().syncer(), session.control, session.storage, () -> {});
        lane = new BackgroundLane(session.segments, session.control);
        now = session.storage.nanoTime() + LATER;
    }

    @AfterEach
    void close() {
        lane.end();
        log.close();
    }

    /** Acts as another process that appends, and is killed. */
    private static void leave(LogSession session) {
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

    /** Looks as the background does; returns whether the look found something, which is synced then. */
    private boolean lookLater() {
        now += LATER;
        boolean found = sync.look(now, lane::isEnd);
        assertThat(sync.run(now, /* appendedBytes */ 0)).isEqualTo(found);
        return found;
    }

    private boolean isAllDurable() {
        return session.durablePosition() == session.endPosition();
    }

    private void syncFirst() {
        assertThat(sync.run(now, /* appendedBytes */ 0)).isTrue();
    }

    /** This process is idle: no other process would do the sync as long as the machine runs. */
    @Test
    void whatAKilledProcessHasLeftIsFoundByTheSecondLook() {
        syncFirst();
        for (int killed = 0; killed < 3; killed++) {
            leave(session);
            lookLater(); // the writer may be alive, and sync by itself
            lookLater();
            assertThat(isAllDurable()).isTrue();
        }
    }

    @Test
    void whatOthersSyncIsLeftToThem() {
        syncFirst();
        for (int i = 0; i < 3; i++) {
            leave(session);
            session.syncAll();
            leave(session);
            assertThat(lookLater()).isFalse();
            assertThat(isAllDurable()).isFalse();
        }
        assertThat(lookLater()).as("nobody has synced since the look before").isTrue();
    }

    /** A look at each of a server's thousand idle logs takes only some loads. */
    @Test
    void nothingIsSyncedWhereNothingIsLeft() {
        leave(session);
        syncFirst();
        for (int i = 0; i < 5; i++) {
            assertThat(lookLater()).isFalse();
        }
    }

    /** The segment that the background stood in last is no longer the tail. */
    @Test
    void whatIsLeftInALaterSegmentIsFound() {
        try (LogAppender appender = log.appender()) {
            syncFirst();
            TestLogs.fillUpTo(appender, 1, 10_000);
        }
        assertThat(lane.isBehind()).isTrue();
        lookLater();
        assertThat(lookLater()).isTrue();
        await().until(this::isDurableWhenDue);
    }

    /** The log's background may be sealing the previous segment. An interval sync does not wait for that: it tries again. */
    private boolean isDurableWhenDue() {
        now += LATER;
        sync.run(now, /* appendedBytes */ 0);
        return isAllDurable();
    }

    /** The background looks from the opening on, although this process neither appends nor reads. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theBackgroundLooksByItself(boolean dropping) {
        Path idle = directory.resolve("idle");
        session.storage.createDirectories(idle, Access.OWNER);
        LogOptions options = TestLogs.options().withSync(POLICY);
        if (dropping) { // its rounds come each second
            options = options.withRetention(retention -> retention.withAge(Duration.ofDays(1)));
        }
        LogSession reading = new Opening(idle, options).open();
        try {
            for (int killed = 0; killed < 2; killed++) {
                leave(reading);
                await().atMost(Duration.ofMinutes(2)).until(() -> reading.durablePosition() == reading.endPosition());
            }
        } finally {
            reading.close();
        }
    }
}
