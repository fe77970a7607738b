package dev.larder.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinishedTest {

    @TempDir
    Path directory;

    private Finished finished(Figures... samples) {
        return new Finished(new ResultFolder(directory), List.of(samples));
    }

    private static Figures sample(Object subject, double rate, boolean isValid) {
        return new Figures()
                .put("subject", subject)
                .put("rate_per_s", rate)
                .put("rows", List.of(new Figures().put("valid", true), new Figures().put("valid", isValid)));
    }

    private static Figures key(String subject, double rate) {
        return new Figures().put("subject", subject).put("rate_per_s", rate);
    }

    @Test
    void findsTheLastSampleThatHasAllFiguresOfTheKey() {
        Figures one = Figures.parse(sample("a", 1000, true).toJson());
        Figures last = Figures.parse(sample("a", 1000.0004, true).toJson());
        Finished finished = finished(one, last, sample("b", 1000, true));
        assertThat(finished.find(key("a", 1000))).contains(last);
        assertThat(finished.find(key("a", 1001))).isEmpty();
        assertThat(finished.find(key("c", 1000))).isEmpty();
    }

    @Test
    void whatWasVoidIsMeasuredAgain() {
        Finished finished = finished(sample("a", 1, false));
        assertThat(finished.find(key("a", 1))).isPresent();
        assertThat(finished.findValid(key("a", 1))).isEmpty();
    }

    @Test
    void keepsWhatComes() throws IOException {
        Finished finished = finished();
        Figures sample = finished.add(sample("a", 1, true));
        assertThat(finished.findValid(key("a", 1))).contains(sample);
        assertThat(Files.readAllLines(directory.resolve("samples.jsonl"))).hasSize(1);
    }
}
