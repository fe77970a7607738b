package dev.larder.tests.processes;

import static org.awaitility.Awaitility.await;

import dev.larder.log.SyncPolicy;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.crash.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that has the queue open syncs the messages that a killed process has left unsynced, though it neither appends nor
 * reads.
 */
@Timeout(300)
final class LeftBehindTest {

    private static final long SECONDS = 60;
    private static final int KILLED = 3;

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    @Test
    void isSyncedByAnIdleProcess() {
        Path path = directory.resolve("queue");
        SyncPolicy often = SyncPolicy.every(Duration.ofMillis(20));
        try (LarderQueue queue = LarderQueue.open(path, Leaver.options(storage, often))) {
            for (int killed = 0; killed < KILLED; killed++) {
                long last = leave(path);
                await().atMost(Duration.ofSeconds(SECONDS)).until(() -> queue.durablePosition() > last);
            }
        }
    }

    /** Lets another process append, and kills it; returns the position of its last message. */
    private long leave(Path path) {
        try (ChildProcess other =
                ChildProcess.start(Leaver.class, directory.resolve("errors"), List.of(), path.toString(), storage)) {
            long last = Long.parseLong(other.answer(SECONDS));
            other.kill();
            other.exitCode(SECONDS);
            return last;
        }
    }
}
