package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Peer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConductorTest {

    @TempDir
    Path directory;

    /** A process with invented answers. */
    private record Told(Function<String, Figures> answers) implements Peer {

        @Override
        public Figures ask(String command, Figures arguments) {
            return answers.apply(command);
        }

        @Override
        public String place(Path place) {
            return place.toString();
        }

        @Override
        public long clockAheadNanos() {
            return 0;
        }

        @Override
        public String host() {
            return "here";
        }

        @Override
        public void destroy() {}

        @Override
        public void close() {}
    }

    /** Connections are opened before a load, and responses are written after it: the time of the load contains neither. */
    @Test
    void dividesTheProcessorTimeOfATargetByTheTimeOfTheLoad() {
        Figures load = new Figures()
                .put("start_nanos", 1_000_000_000L)
                .put("end_nanos", 3_000_000_000L)
                .put("sent", 100)
                .put("stopped", false)
                .put("backlog_growth", 0.0)
                .put("backlog_max", 0)
                .put("operations", List.of())
                .put("hiccups", List.of());
        Figures used = new Figures()
                .put("cpu_ms", 1_000.0)
                .put("cpu_cores", 0.1)
                .put("pauses", List.of())
                .put("hiccups", List.of());
        Conductor conductor = new Conductor(
                new Told(command -> load), Optional.of(new Told(command -> used)), new Figures(), directory);
        LoadSettings settings = conductor.settings(LoadProcesses.keys(), LoadPlan.of(50, 2), 1);
        assertThat(conductor.load(settings, "told").number("cpu_cores")).isEqualTo(0.5, within(1e-9));
    }
}
