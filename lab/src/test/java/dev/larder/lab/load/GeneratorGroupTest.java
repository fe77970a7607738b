package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.tests.support.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several clients that send one load, and closed loops. */
@Tag(Effort.LONG)
final class GeneratorGroupTest {

    private static final Figures ECHO = new Figures().put("name", "echo");

    @TempDir
    Path directory;

    private static LoadSettings evenly(Conductor conductor, LoadPlan plan) {
        return conductor.settings(LoadProcesses.keys(), ArrivalKind.CONSTANT, plan, 1);
    }

    @Test
    void sendsEachItsShare() throws Exception {
        List<ChildProcess> members = new ArrayList<>();
        for (int member = 0; member < 2; member++) {
            Path logs = Files.createDirectory(directory.resolve("logs-" + member));
            members.add(LoadProcesses.start("generator", 64L << 20, GeneratorLoop.class, logs));
        }
        try (GeneratorGroup group = new GeneratorGroup(members)) {
            Conductor conductor = new Conductor(group, Optional.empty(), ECHO, directory);
            Figures seen = conductor.load(evenly(conductor, LoadPlan.of(2_000, 0.5)), "both");
            List<Figures> operations = seen.rows("operations");
            assertThat(seen.whole("sent")).isEqualTo(1_000);
            assertThat(operations.get(0).whole("requests")).isEqualTo(1_000);
            assertThat(operations.get(1).whole("requests") + operations.get(2).whole("requests"))
                    .isEqualTo(1_000);
            assertThat(seen.rows("timeline").stream()
                            .mapToLong(interval -> interval.whole("requests"))
                            .sum())
                    .isEqualTo(1_000);
            assertThat(directory.resolve("001-both")).isDirectoryContaining("glob:**client-*");
            assertThat(conductor
                            .probe(evenly(conductor, LoadPlan.of(2_000, 0.1)), "probe")
                            .whole("sent"))
                    .isEqualTo(200);
            assertThat(directory.resolve("002-probe")).doesNotExist();
        }
    }

    @Test
    void keepsSoManyRequestsOutInAClosedLoop() {
        Figures behaviour = new Figures()
                .put("behaviour", "delays")
                .put("shortest_us", 1_000)
                .put("mean_us", 2_000)
                .put("seed", 1);
        try (LoadProcesses processes = new LoadProcesses(directory, behaviour)) {
            Figures seen = processes.conductor.load(evenly(processes.conductor, LoadPlan.closed(5, 0.5)), "closed");
            assertThat(seen.whole("backlog_max")).isEqualTo(5);
            assertThat(seen.whole("sent")).isGreaterThan(5);
            assertThat(seen.whole("unanswered")).isZero();
            assertThat(seen.flag("stopped")).isFalse();
            Figures all = seen.rows("operations").getFirst();
            assertThat(all.number("late_max_us")).isZero();
        }
    }
}
