package dev.larder.tests.crash;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a test does not outlive the process that has started it. */
final class ChildProgramTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    /** Starts the command after it, prints the number of that process, and waits for a line. */
    private static final List<String> STARTER = List.of("sh", "-c", "\"$@\" >/dev/null & echo $!; read line", "sh");

    @TempDir
    private Path directory;

    @Test
    void endsWithTheProcessThatHasStartedIt() throws IOException, InterruptedException {
        Path map = directory.resolve("map");
        List<String> command = new ArrayList<>(STARTER);
        command.addAll(ChildProcess.command(
                MapWriter.class, map.toString(), directory.resolve("progress").toString(), "1", "system", "none"));
        Process starter = new ProcessBuilder(command)
                .redirectError(directory.resolve("errors").toFile())
                .start();
        try (BufferedReader said = starter.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            try {
                await().atMost(LONG).until(() -> Files.exists(map.resolve("log.ctl"))); // it knows its parent now
                starter.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
                await().atMost(LONG).until(() -> !child.isAlive());
            } finally {
                child.destroyForcibly();
            }
        } finally {
            starter.destroyForcibly();
        }
    }
}
