package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.queue.TailerInfo;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Named tailers whose processes are killed in the middle of their work. */
final class NamedTailersTest {

    private static final long SECONDS = 60;
    private static final int MESSAGES = 3000;
    private static final int KILLS = Effort.of(1, 3, 6);

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    private Path queue() {
        return directory.resolve("queue");
    }

    private LarderQueue open() {
        Storage files = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        return LarderQueue.open(queue(), HookedOptions.withStorage(LogOptions.defaults(), files));
    }

    private ChildProcess reader(Commit commit, int batch) {
        return ChildProcess.start(
                NamedReader.class,
                directory.resolve("readers.err"),
                List.of(),
                storage,
                queue().toString(),
                commit.name(),
                Integer.toString(batch));
    }

    private static void fill(LarderQueue queue) {
        try (Appender appender = queue.appender()) {
            for (int i = 0; i < MESSAGES; i++) {
                appender.append(Integer.toString(i));
            }
            appender.append("last");
        }
    }

    /**
     * At least once, and not more often than promised: the next process continues with the message whose handler was cut short,
     * or after the last commit. It skips no message.
     */
    @ParameterizedTest
    @CsvSource({"WHEN_HANDLED, 1, 1", "WHEN_HANDLED, 50, 1", "EXPLICIT, 1, 1", "EXPLICIT, 20, 20"})
    void aKilledReaderSkipsNothing(Commit commit, int batch, int againAtMost) {
        SplittableRandom random = new SplittableRandom(batch);
        try (LarderQueue queue = open()) {
            fill(queue);
            int next = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                int readAtLeast = random.nextInt(300);
                try (ChildProcess reader = reader(commit, batch)) {
                    next = readUntilKilled(reader, next, againAtMost, readAtLeast);
                }
            }
            try (ChildProcess reader = reader(commit, batch)) {
                reader.say("go on, as often as you ask");
                String line = reader.line(SECONDS);
                while (!line.equals("last")) {
                    next = take(Integer.parseInt(line), next, againAtMost);
                    line = reader.line(SECONDS);
                }
                assertThat(next).isEqualTo(MESSAGES);
                reader.expect("DONE", SECONDS);
                assertThat(reader.exitCode(SECONDS)).isZero();
            }
            TailerInfo tailer = queue.tailers().getFirst();
            assertThat(tailer.lagMessages()).hasValue(0);
            assertThat(tailer.sequence()).hasValue(MESSAGES + 1);
            assertThat(tailer.processId()).isEmpty();
            assertThat(queue.verify().problems()).isEmpty();
        }
    }

    /** Returns the number of the message that must come next, at the latest. */
    private static int readUntilKilled(ChildProcess reader, int from, int againAtMost, int readAtLeast) {
        int next = from;
        int read = 0;
        String line = reader.line(SECONDS);
        while (!line.equals("END")) {
            boolean whole = !line.isEmpty() && line.chars().allMatch(Character::isDigit);
            if (whole) {
                next = take(Integer.parseInt(line), next, read == 0 ? againAtMost : 0);
            }
            if (read++ == readAtLeast) {
                reader.signal("KILL"); // its output can still be read, unlike after Process.destroyForcibly
            }
            line = reader.line(SECONDS);
        }
        return next;
    }

    private static int take(int message, int next, int againAtMost) {
        assertThat(message).isBetween(Math.max(0, next - againAtMost), next);
        return message + 1;
    }

    @Test
    void aLiveProcessIsNamedAndADeadOneSucceeded() {
        try (LarderQueue queue = open();
                Appender appender = queue.appender()) {
            appender.append("0");
            try (ChildProcess first = reader(Commit.WHEN_HANDLED, 1)) {
                first.expect("0", SECONDS);
                assertThatThrownBy(() -> queue.tailer("reader"))
                        .isInstanceOf(BookmarkHeldException.class)
                        .hasMessageContaining("held by process " + first.pid() + " since ");
                assertThatThrownBy(() -> queue.dropTailer("reader")).isInstanceOf(BookmarkHeldException.class);
                try (ChildProcess second = reader(Commit.WHEN_HANDLED, 1)) {
                    assertThat(second.line(SECONDS)).startsWith("HELD ").contains("process " + first.pid());
                }
                assertThat(queue.tailers().getFirst().processId()).contains(first.pid());
                first.kill();
                first.exitCode(SECONDS);
                takeOver(queue);
            }
        }
    }

    /** Takes the name over as soon as the kernel has freed the locks of the dead process. */
    private static void takeOver(LarderQueue queue) {
        Awaitility.await().atMost(Duration.ofSeconds(SECONDS)).until(() -> {
            TailerInfo tailer = queue.tailers().getFirst();
            return tailer.processId().isEmpty() && tailer.absentSince().isPresent();
        });
        try (Tailer tailer = queue.tailer("reader")) {
            assertThat(tailer.sequence()).isBetween(0L, 1L);
            assertThat(queue.tailers().getFirst().processId())
                    .contains(ProcessHandle.current().pid());
        }
        assertThat(queue.dropTailer("reader")).isTrue();
        assertThat(queue.tailers()).isEmpty();
    }
}
