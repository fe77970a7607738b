package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A sender and a receiver, of which one dies; and what a sample of a copy proves. */
@Timeout(60)
class ExchangeTest {

    private static final String CHILD = "while read line; do case $line in *clock*) echo '{\"nanos\":0}' ;;"
            + " *receive*) exit 1 ;; *) echo '{}' ;; esac; done";

    @TempDir
    Path logs;

    /** Only then the run ends with its reason and the rows before. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void theDeathOfTheReceiverIsTold() {
        List<String> command = List.of("/bin/sh", "-c", CHILD);
        try (ChildProcess sender = ChildProcess.start("sender", command, MemoryLimit.none(), logs);
                ChildProcess receiver = ChildProcess.start("receiver", command, MemoryLimit.none(), logs)) {
            Exchange exchange = new Exchange(sender, receiver);
            assertThatThrownBy(() -> exchange.run(new Figures()))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("the child process 'receiver' ended during 'receive'");
        }
    }

    @Test
    void fewMessagesHaveNo99thPercentile() {
        Figures sample = new Figures()
                .put("received", 50)
                .put("saturated", false)
                .put("sender_late", new Figures().put("p99_us", null))
                .put("p99_us", null);
        assertThat(CopyExperiment.voidReason(sample)).contains("too few messages for a 99th percentile: 50");
        sample.put("p99_us", 400).put("sender_late", new Figures().put("p99_us", 150));
        assertThat(CopyExperiment.voidReason(sample)).isNull();
        sample.put("sender_late", new Figures().put("p99_us", 250));
        assertThat(CopyExperiment.voidReason(sample)).contains("late by a quarter of the lag");
    }
}
