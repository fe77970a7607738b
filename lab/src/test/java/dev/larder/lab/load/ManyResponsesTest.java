package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With any number of responses, the generator keeps and reports them all in a small heap. */
final class ManyResponsesTest {

    private static final double REQUESTS = Effort.of(500_000, 2_000_000, 100_000_000);
    private static final double RATE = 1e6;
    private static final long HEAP_BYTES = 200L << 20;

    @TempDir
    Path directory;

    @Test
    void areKeptAndReportedBesideTheHeap() {
        try (ChildProcess generator = LoadProcesses.start("generator", HEAP_BYTES, GeneratorLoop.class, directory)) {
            Conductor conductor = new Conductor(generator, Optional.empty(), new Figures(), directory);
            LoadSettings settings = new LoadSettings(
                    new Figures().put("name", "echo"),
                    LoadProcesses.keys(),
                    ArrivalKind.CONSTANT,
                    null,
                    LoadPlan.of(RATE, REQUESTS / RATE),
                    1,
                    0);
            Figures seen = conductor.load(settings, "many");
            Figures all = seen.rows("operations").getFirst();
            assertThat((double) all.whole("requests")).isEqualTo(REQUESTS);
            assertThat(seen.rows("operations")).hasSize(3);
            assertThat(seen.rows("operations").get(1).whole("requests")
                            + seen.rows("operations").get(2).whole("requests"))
                    .isEqualTo((long) REQUESTS);
        }
    }
}
