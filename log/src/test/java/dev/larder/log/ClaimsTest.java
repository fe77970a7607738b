package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.open.Opening;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.log.shared.Slots;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A claim whose owner is another process, dead or alive. */
@Timeout(300)
final class ClaimsTest {

    private static final int OTHER = 1;

    @TempDir
    Path directory;

    /** Opens a log with a claim of another process, and a record behind it. */
    private LogSession open(Failpoints steps) {
        LogSession session = new Opening(directory, HookedOptions.withFailpoints(TestLogs.options(), steps)).open();
        session.control.generationRelease(OTHER, 1);
        Lane lane = new Lane();
        Segment segment = session.segments.enterAtOrAfter(lane, 0);
        long reserved = RecordWord.reserved(8, Slots.owner(OTHER, 1));
        assertThat(Words.compareAndSet(segment.memory, segment.chainEnd(), 0, reserved))
                .isTrue();
        session.segments.leave(lane, segment);
        LogAppender.open(session).append(TestLogs.bytes("behind"));
        return session;
    }

    private static long stalls(LogSession session) {
        return session.counters.values().getOrDefault(LogCounter.STALLS, 0L);
    }

    /** Returns whether a reader gets past the claim within three looks at its owner. */
    private static boolean isPassed(LogSession session) {
        List<String> texts = new ArrayList<>();
        try (LogReader reader = LogReader.open(session, WaitStrategy.futex())) {
            long looks = stalls(session);
            while (texts.isEmpty() && stalls(session) < looks + 3) {
                texts.addAll(TestLogs.texts(reader));
            }
        }
        return texts.equals(List.of("behind"));
    }

    @Test
    void standsAsLongAsItsOwnerLives() {
        LogSession session = open(Failpoints.NONE);
        try (StorageFile other = TestLogs.storage()
                .open(directory.resolve(LockFile.FILE_NAME), true)
                .orElseThrow()) {
            assertThat(other.tryLock(LockFile.live(OTHER))).isTrue();
            assertThat(isPassed(session)).isFalse();
            other.unlock(LockFile.live(OTHER));
            assertThat(isPassed(session)).isTrue();
        } finally {
            session.close();
        }
    }

    @Test
    void isOfTheDeadWhenItsSlotHasAnotherGeneration() {
        LogSession session = open(Failpoints.NONE);
        try (StorageFile other = TestLogs.storage()
                .open(directory.resolve(LockFile.FILE_NAME), true)
                .orElseThrow()) {
            assertThat(other.tryLock(LockFile.live(OTHER))).isTrue();
            session.control.generationRelease(OTHER, 2);
            assertThat(isPassed(session)).isTrue();
        } finally {
            session.close();
        }
    }

    /** Only the map's processes know whether a word of its index leads to the claim. */
    @Test
    void ofAMapsLogStandsAsLongAsAnyOtherProcessLives() {
        Log.open(directory, HookedOptions.with(TestLogs.options(), hooks -> hooks.withLinked(true)))
                .close();
        LogSession session = open(Failpoints.NONE);
        session.control.generationRelease(OTHER + 1, 1);
        try (StorageFile third = TestLogs.storage()
                .open(directory.resolve(LockFile.FILE_NAME), true)
                .orElseThrow()) {
            assertThat(third.tryLock(LockFile.live(OTHER + 1))).isTrue();
            assertThat(isPassed(session)).isFalse();
            third.unlock(LockFile.live(OTHER + 1));
            assertThat(isPassed(session)).isTrue();
        } finally {
            session.close();
        }
    }

    /** A thread that hangs while it judges a claim is to its own process what a stopped process is to the others. */
    @Test
    void isPassedWhileAnotherThreadHangsJudgingIt() throws InterruptedException {
        CountDownLatch judging = new CountDownLatch(1);
        CompletableFuture<Boolean> goOn = new CompletableFuture<>();
        AtomicBoolean first = new AtomicBoolean(true);
        LogSession session = open(step -> {
            if (step.equals("recover.judged") && first.getAndSet(false)) {
                judging.countDown();
                goOn.join();
            }
        });
        CompletableFuture<Boolean> hanging = OtherThread.call(() -> isPassed(session));
        judging.await();
        try {
            assertThat(isPassed(session)).isTrue();
            goOn.complete(true);
            assertThat(hanging.join()).isTrue();
        } finally {
            goOn.complete(true);
            session.close();
        }
    }
}
