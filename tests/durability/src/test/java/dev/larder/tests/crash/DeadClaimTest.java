package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A claim that a dead writer leaves is found by every process and thread that it could hold up. */
@Tag(Effort.LONG)
final class DeadClaimTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    private static Member leaveAClaim(Squad squad) {
        Member victim = squad.start(Role.WRITER, 0, "halt:fill.half:3");
        victim.process().expect("AT fill.half", LONG.toSeconds());
        squad.remove(victim);
        return victim;
    }

    /**
     * A newcomer takes the lowest free slot: the slot of the writer that has just died. A live process then holds its LIVE
     * byte, but that process does not own the claim. Readers once took the owner for alive, and waited for as long as the
     * newcomer lived.
     */
    @Test
    void isFoundWhenItsSlotHasANewOwner() {
        try (Squad squad = new Squad(directory, storage, IntegrityMode.RECORD)) {
            Member tailer = squad.start(Role.TAILER, 0, "none");
            tailer.process().signal("STOP");
            Member victim = leaveAClaim(squad);
            Member newcomer = squad.start(Role.WRITER, 0, "no-recovery");
            assertThat(newcomer.slot()).isEqualTo(victim.slot());
            tailer.process().signal("CONT");
            long before = victim.progress().done();
            await().atMost(LONG).until(() -> newcomer.progress().done() > 0);
            await().atMost(LONG).until(() -> tailer.progress().done() > before);
            assertThat(squad.finish().faults()).isEmpty();
        }
    }

    /**
     * A process that judges a dead writer locks the writer's LIVE byte meanwhile. The lock was exclusive once. A judge that was
     * stopped there made the dead writer look alive to every other survivor, for as long as it stood still.
     */
    @Test
    void isPassedWhileAnotherIsStoppedJudgingIt() {
        try (Squad squad = new Squad(directory, storage, IntegrityMode.RECORD)) {
            Member judge = squad.start(Role.TAILER, 0, "stop:recover.judged:1");
            Member survivor = squad.start(Role.TAILER, 1, "none");
            survivor.process().signal("STOP");
            Member victim = leaveAClaim(squad);
            judge.process().expect("AT recover.judged", LONG.toSeconds());
            judge.process().signal("STOP");
            long looks = squad.counter(LogCounter.STALLS);
            survivor.process().signal("CONT");
            await().atMost(LONG).until(() -> squad.recoveredClaims() == 1);
            assertThat(squad.counter(LogCounter.STALLS) - looks).as("looks").isLessThanOrEqualTo(1);
            Member newcomer = squad.start(Role.WRITER, 0, "none");
            assertThat(newcomer.slot())
                    .as("a slot that is being judged is left alone")
                    .isNotEqualTo(victim.slot());
            long before = victim.progress().done();
            await().atMost(LONG).until(() -> survivor.progress().done() > before);
            judge.process().signal("CONT");
            judge.process().say("go");
            assertThat(squad.finish().faults()).isEmpty();
        }
    }

    /**
     * A newcomer once took the LIVE byte before it raised the generation. When it was stopped between the two, the dead process
     * whose slot it was about to take looked alive.
     */
    @Test
    void isPassedWhileANewcomerIsStoppedTakingItsSlot() {
        try (Squad squad = new Squad(directory, storage, IntegrityMode.RECORD)) {
            Member tailer = squad.start(Role.TAILER, 0, "none");
            tailer.process().signal("STOP");
            leaveAClaim(squad);
            Member newcomer = squad.launch(Role.WRITER, 0, "stop:register.raised:1");
            newcomer.process().expect("AT register.raised", LONG.toSeconds());
            newcomer.process().signal("STOP");
            tailer.process().signal("CONT");
            await().atMost(LONG).until(() -> squad.recoveredClaims() == 1);
            newcomer.process().signal("CONT");
            newcomer.process().say("go");
            newcomer.process().expect("READY", LONG.toSeconds());
            squad.ready(newcomer);
            assertThat(squad.finish().faults()).isEmpty();
        }
    }

    /** Only the waiting poll once checked whether the writer was dead: a poll without waiting never got past the claim. */
    @Test
    void isPassedByATailerThatNeverWaits() {
        try (Squad squad = new Squad(directory, storage, IntegrityMode.RECORD)) {
            squad.start(Role.TAILER, 0, "no-recovery"); // so that this process is not the first to open
            leaveAClaim(squad);
            try (LarderQueue queue = LarderQueue.open(squad.queue(), options(SyncPolicy.none()));
                    Appender appender = queue.appender();
                    Tailer tailer = queue.tailer()) {
                AtomicInteger last = new AtomicInteger();
                appender.append(new byte[] {1, 2, 3});
                await().atMost(LONG)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> tailer.poll((segment, offset, length) -> last.set(length)) && last.get() == 3);
            }
        }
    }

    /** The background sync once stopped at the claim, so nothing after it became durable until another thread found the claim. */
    @Test
    void doesNotHoldUpTheBackgroundSync() {
        try (Squad squad = new Squad(directory, storage, IntegrityMode.RECORD)) {
            Member tailer = squad.start(Role.TAILER, 0, "no-recovery"); // so that this process is not the first to open
            leaveAClaim(squad);
            SyncPolicy often = SyncPolicy.every(Duration.ofMillis(20));
            try (LarderQueue queue = LarderQueue.open(squad.queue(), options(often));
                    Appender appender = queue.appender()) {
                long position = appender.append(new byte[] {1, 2, 3});
                await().atMost(LONG).until(() -> queue.durablePosition() > position);
            }
            assertThat(tailer.process().isAlive()).isTrue();
        }
    }

    private LogOptions options(SyncPolicy sync) {
        Storage files = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        return HookedOptions.withStorage(LogOptions.defaults(), files).withSync(sync);
    }
}
