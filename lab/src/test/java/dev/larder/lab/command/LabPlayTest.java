package dev.larder.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts that processes play behind a command, and an experiment that is conducted from here. */
class LabPlayTest {

    private static final long HEAP_BYTES = 64L << 20;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private String there = "";

    @BeforeEach
    void nameTheCommand() {
        there = String.join(" ", JavaProcess.command(HEAP_BYTES, Larder.class)) + " lab play --directory "
                + directory.resolve("play");
    }

    private int load(String... options) {
        List<String> arguments = Stream.concat(
                        Stream.of("lab", "load", "--target", "known:delays", "--rate", "300", "--quick", "--json"),
                        Stream.of(options))
                .toList();
        Streams streams = new Streams(
                new ByteArrayInputStream(new byte[0]),
                new Answer(out),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false);
        return Larder.execute(streams, arguments.toArray(String[]::new));
    }

    @Test
    @Tag(Effort.LONG)
    void playsGeneratorAndTarget() throws IOException {
        Path result = directory.resolve("result");
        load("--generator", there, "--target-on", there, "--seconds", "0.5", "--out", result.toString());
        Figures figures = Figures.parse(out.toString(StandardCharsets.UTF_8));
        Figures all = figures.rows("runs").getFirst();
        assertThat(all.whole("requests")).isPositive();
        assertThat(all.whole("errors")).isZero();
        assertThat(all.number("p50_us")).isGreaterThan(500);
        assertThat(all.has("cpu_cores")).as("the target is metered").isTrue();
        assertThat(all.text("responses_on")).isEqualTo(there);
        assertThat(figures.part("options").text("generator")).isEqualTo(there);
        assertThat(files("responses.hlog")).hasSize(1);
    }

    @Test
    void playsAGeneratorOverSsh() throws Exception {
        assumeTrue(Boolean.getBoolean("larder.soak"), "starts an sshd: in the long run (-Psoak) only");
        try (SshServer server = SshServer.start(directory.resolve("ssh"))) {
            String way = server.way() + " " + there;
            Path result = directory.resolve("result");
            load("--generator", way, "--seconds", "0.5", "--out", result.toString());
            Figures all = Figures.parse(out.toString(StandardCharsets.UTF_8))
                    .rows("runs")
                    .getFirst();
            assertThat(all.whole("requests")).isPositive();
            assertThat(all.whole("errors")).isZero();
            assertThat(all.text("responses_on")).isEqualTo(way);
            assertThat(files("responses.hlog")).hasSize(1);
        }
    }

    @Test
    void aPartThatIsUnknownIsSaid() {
        assertThat(load(
                        "--generator",
                        there + " --part",
                        "--out",
                        directory.resolve("result").toString()))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("the child process", "ended during 'facts'");
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsEnded() {
        ChildProcess generator = ChildProcess.startThere(there, "generator", directory, Duration.ofMinutes(1));
        CompletableFuture<Figures> answer = OtherThread.call(() -> generator.ask("load", endless()));
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> !files("responses").isEmpty());
        List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
        generator.destroy();
        assertThatThrownBy(answer::join).hasMessageContaining("ended during 'load'");
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static Figures endless() {
        return new Figures()
                .put("driver", new Figures().put("name", "echo"))
                .put(
                        "workload",
                        new Figures().put("workload", "keys").put("keys", 1).put("writes_percent", 0))
                .put("arrivals", "constant")
                .put("rate_per_s", 10)
                .put("load_seconds", 3_600)
                .put("drain_seconds", 1)
                .put("pending_max", 100)
                .put("seed", 1)
                .put("spin_nanos", 0)
                .put("directory", "load");
    }

    private List<Path> files(String name) throws IOException {
        Path place = directory.resolve("play");
        if (!Files.exists(place)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(file -> file.endsWith(name)).toList();
        }
    }
}
