package dev.larder.lab.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
final class NodeProcessesTest {

    private static final double MILLIS = 100;

    private static Process shell(String script) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", script).start();
    }

    private static double cpuMillis(NodeProcesses processes) {
        return processes.used().number("cpu_ms");
    }

    @Test
    void whatAKilledProcessHasUsedStillCounts() throws IOException {
        NodeProcesses processes = new NodeProcesses();
        try {
            processes.add(0, shell("while :; do :; done"));
            await().atMost(Duration.ofMinutes(1)).until(() -> cpuMillis(processes) >= MILLIS);
            processes.kill(0);
            assertThat(processes.pids()).isEmpty();
            double ended = cpuMillis(processes);
            assertThat(ended).isGreaterThanOrEqualTo(MILLIS);
            processes.add(0, shell("read line"));
            assertThat(processes.pids()).hasSize(1);
            assertThat(cpuMillis(processes)).isGreaterThanOrEqualTo(ended);
        } finally {
            processes.killAll();
        }
    }
}
