package dev.larder.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.agent.RemotePeer;
import dev.larder.lab.process.JavaProcess;
import dev.larder.tests.support.OtherThread;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent as a process of its own, and an experiment that is conducted from here. */
class LabAgentTest {

    private static final long HEAP_BYTES = 64L << 20;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private Process agent;
    private String address = "";

    @BeforeEach
    void startAgent() throws IOException {
        List<String> command = new ArrayList<>(JavaProcess.command(HEAP_BYTES, Larder.class));
        command.addAll(List.of(
                "lab", "agent", "--directory", directory.resolve("agent").toString()));
        agent = new ProcessBuilder(command)
                .redirectError(directory.resolve("agent.log").toFile())
                .start();
        try (BufferedReader lines = agent.inputReader()) {
            address = String.valueOf(lines.readLine());
        }
        assertThat(address).matches("[0-9a-f]{32}@127\\.0\\.0\\.1:\\d+");
    }

    @AfterEach
    void endAgent() throws InterruptedException {
        agent.destroy();
        assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private int load(String generator, String... further) {
        List<String> arguments = new ArrayList<>(List.of("lab", "load", "--target", "known:delays"));
        arguments.addAll(List.of("--generator", generator, "--rate", "300", "--quick", "--json"));
        arguments.addAll(List.of("--out", directory.resolve("result").toString()));
        arguments.addAll(List.of(further));
        Streams streams = new Streams(
                new ByteArrayInputStream(new byte[0]),
                new Answer(out),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false);
        return Larder.execute(streams, arguments.toArray(String[]::new));
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void playsGeneratorAndTarget() throws IOException {
        load(address, "--target-agent", address, "--seconds", "1");
        Figures result = Figures.parse(out.toString(StandardCharsets.UTF_8));
        Figures all = result.rows("runs").getFirst();
        assertThat(all.whole("requests")).isPositive();
        assertThat(all.whole("errors")).isZero();
        assertThat(all.number("p50_us")).isGreaterThan(500);
        assertThat(all.has("cpu_cores")).as("the target is metered").isTrue();
        String place = address.substring(address.indexOf('@') + 1);
        assertThat(all.text("responses_on")).isEqualTo(place);
        assertThat(result.part("options").text("generator")).isEqualTo(place);
        assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain(address);
        try (Stream<Path> files = Files.walk(directory.resolve("agent"))) {
            assertThat(files.filter(file -> file.endsWith("responses.hlog"))).hasSize(1);
        }
        assertThat(directory.resolve("agent.log"))
                .content()
                .contains("plays the generator")
                .contains("plays the target");
    }

    @Test
    void refusesWhoDoesNotKnowTheToken() throws IOException {
        String wrong = "0".repeat(32) + address.substring(address.indexOf('@'));
        assertThat(load(wrong)).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("failed to start: the token is wrong").doesNotContain("0".repeat(32));
        assertThat(directory.resolve("agent.log")).content().contains("refused a conductor");
        assertThat(load(address.substring(address.indexOf('@') + 1))).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("no token for the agent");
    }

    @Test
    void anAgentThatDiesIsSaid() {
        CompletableFuture<Integer> code = OtherThread.call(() -> load(address, "--seconds", "15"));
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(this::loads);
        List<ProcessHandle> children = agent.descendants().toList();
        agent.destroyForcibly();
        assertThat(code.join()).isEqualTo(ExitCode.INVALID);
        assertThat(Figures.parse(out.toString(StandardCharsets.UTF_8)).text("invalid_reason"))
                .contains("has gone while its generator was asked to load");
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsEnded() throws IOException {
        RemotePeer generator = RemotePeer.start(AgentAddress.parse(address), "generator");
        CompletableFuture<Figures> answer = OtherThread.call(() -> generator.ask("load", load(120)));
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(this::loads);
        List<ProcessHandle> children = agent.descendants().toList();
        assertThat(children).isNotEmpty();
        generator.destroy();
        assertThatThrownBy(answer::join).hasMessageContaining("has gone while its generator was asked to load");
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(agent.isAlive()).isTrue();
    }

    @Test
    void nothingIsWrittenOutsideOfItsDirectory() {
        try (RemotePeer generator = RemotePeer.start(AgentAddress.parse(address), "generator")) {
            for (String name : List.of("../outside", "/tmp/outside", "..")) {
                assertThatThrownBy(() -> generator.ask("load", load(1).put("directory", name)))
                        .hasMessageContaining("'" + name + "' is not the plain name of a file");
            }
        }
    }

    private static Figures load(double seconds) {
        return new Figures()
                .put("driver", new Figures().put("name", "echo"))
                .put(
                        "workload",
                        new Figures().put("workload", "keys").put("keys", 1).put("writes_percent", 0))
                .put("arrivals", "constant")
                .put("rate_per_s", 10)
                .put("load_seconds", seconds)
                .put("drain_seconds", 1)
                .put("pending_max", 100)
                .put("seed", 1)
                .put("spin_nanos", 0)
                .put("directory", "load");
    }

    private boolean loads() throws IOException {
        Path place = directory.resolve("agent");
        if (!Files.exists(place)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(place)) {
            return files.anyMatch(file -> file.endsWith("responses"));
        }
    }
}
