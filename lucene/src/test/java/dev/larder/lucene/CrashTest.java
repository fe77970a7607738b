package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.ChildProgram;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that writes an index is killed at random points: no document of a commit that returned is missing. */
class CrashTest {

    private static final int KILLS = Effort.of(2, 5, 50);
    private static final int MOST_MILLIS = 400;

    @TempDir
    Path scratch;

    @Test
    void shouldHaveEveryCommitAfterAKill() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        Path index = scratch.resolve("index");
        int documents = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            int committed = writeAndKill(index, documents, random);
            documents = TestIndex.check(index);
            assertThat(documents).isGreaterThanOrEqualTo(committed);
        }
        assertThat(documents).isPositive();
    }

    /** Returns how many documents the last acknowledged commit had. */
    private int writeAndKill(Path index, int documents, SplittableRandom random)
            throws IOException, InterruptedException {
        Path told = Files.createTempFile(scratch, "told", ".txt");
        Process child = ChildJvm.of(List.of(), ChildProgram.class, IndexingChild.class.getName(), index, documents)
                .redirectError(Redirect.INHERIT)
                .redirectOutput(told.toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> !child.isAlive() || Files.size(told) > 0);
            assertThat(child.isAlive()).as("the child commits").isTrue();
            Thread.sleep(random.nextInt(MOST_MILLIS));
        } finally {
            child.destroyForcibly().waitFor();
        }
        return Integer.parseInt(Files.readAllLines(told).getLast());
    }
}
