package dev.larder.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(folder.beginSamples(RUN, true)).isZero();
        folder.addSample(new Figures().put("a", 1.5));
        folder.addSample(new Figures().put("a", 2));
    }

    @Test
    void samplesOfTheSameRunStay() {
        assertThat(folder.beginSamples(RUN, true)).isEqualTo(2);
        folder.addSample(new Figures().put("a", 3));
        assertThat(folder.samples()).extracting(sample -> sample.number("a")).containsExactly(1.5, 2.0, 3.0);
    }

    @Test
    void samplesOfAnotherRunGo() {
        assertThat(folder.beginSamples(new Figures().put("seed", 2), true)).isZero();
        assertThat(folder.samples()).isEmpty();
    }

    @Test
    void samplesGoWhenTheirSourceIsNotKnown() {
        assertThat(folder.beginSamples(RUN, false)).isZero();
        assertThat(folder.samples()).isEmpty();
    }

    @Test
    void halfALineOfARunThatWasKilledIsNoSample() throws IOException {
        Files.writeString(directory.resolve("samples.jsonl"), "{\"a\":", StandardOpenOption.APPEND);
        assertThat(folder.beginSamples(RUN, true)).isEqualTo(2);
        folder.addSample(new Figures().put("a", 3));
        assertThat(folder.samples()).hasSize(3);
    }
}
