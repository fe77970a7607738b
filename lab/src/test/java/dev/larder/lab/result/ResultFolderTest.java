package dev.larder.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFolderTest {

    private static final Figures RUN = new Figures().put("seed", 1).put("rate", 20_000.0);

    @TempDir
    Path directory;

    private ResultFolder folder;

    @BeforeEach
    void samples() {
        folder = new ResultFolder(directory);
        assertThat(folder.continueSamples(RUN)).isEmpty();
        folder.addSample(new Figures().put("a", 1.5));
        folder.addSample(new Figures().put("a", 2));
    }

    @Test
    void samplesOfTheSameRunStay() {
        assertThat(folder.continueSamples(RUN)).hasSize(2);
        folder.addSample(new Figures().put("a", 3));
        assertThat(folder.continueSamples(RUN))
                .extracting(sample -> sample.number("a"))
                .containsExactly(1.5, 2.0, 3.0);
    }

    @Test
    void samplesOfAnotherRunGo() {
        assertThat(folder.continueSamples(new Figures().put("seed", 2))).isEmpty();
        assertThat(folder.continueSamples(RUN)).isEmpty();
    }

    @Test
    void samplesAreRemoved() {
        folder.clearSamples();
        assertThat(folder.continueSamples(RUN)).isEmpty();
    }

    @Test
    void halfALineOfARunThatWasKilledIsNoSample() throws IOException {
        Files.writeString(directory.resolve("samples.jsonl"), "{\"a\":", StandardOpenOption.APPEND);
        assertThat(folder.continueSamples(RUN)).hasSize(2);
        folder.addSample(new Figures().put("a", 3));
        assertThat(folder.continueSamples(RUN)).hasSize(3);
    }
}
