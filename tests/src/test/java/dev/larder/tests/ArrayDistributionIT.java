package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The array's distribution beside those of the command and the server, run by the system's own shell as a user would run it. */
@Tag(Effort.LONG)
class ArrayDistributionIT {
    private static final Path COMMAND = Path.of(System.getProperty("larder.distribution"));

    private static final Path SERVER = Path.of(System.getProperty("larder.distribution.server"));

    private static final Path ARRAY = Path.of(System.getProperty("larder.distribution.array"));

    /** Short programs do not need the second compiler. */
    private static final String QUICK = "-XX:TieredStopAtLevel=1";

    /** Enough for a busy machine; usually it takes seconds. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    Path scratch;

    @BeforeEach
    void needsAShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh to run bin/larder");
    }

    @Test
    void shouldHoldRatisAlone() throws IOException {
        List<String> command = names(COMMAND.resolve("lib"));
        List<String> server = names(SERVER);
        assertThat(names(ARRAY))
                .anyMatch(name -> name.startsWith("ratis-server-"))
                .anyMatch(name -> name.startsWith("larder-array-cli-"))
                .doesNotContainAnyElementsOf(command)
                .doesNotContainAnyElementsOf(server);
        assertThat(Stream.concat(command.stream(), server.stream()))
                .noneMatch(name -> name.contains("ratis") || name.contains("jedis") || name.contains("array"));
        assertThat(ARRAY.resolveSibling("completion/larder.bash"))
                .content()
                .contains("queue", "serve", "array", "init", "status");
    }

    @Test
    void shouldSayHowToGetIt() throws Exception {
        ProcessBuilder builder = larder("array", "status", "array.properties");
        builder.environment().remove("LARDER_ARRAY");
        Process status = builder.start();
        assertThat(status.waitFor()).isEqualTo(3);
        assertThat(errors()).startsWith("larder: the array is not installed").hasLineCount(1);
    }

    @Test
    void shouldNameAllCommands() throws Exception {
        Process help = larder("--help").start();
        assertThat(output(help)).contains("queue", "serve", "array").doesNotContain("Not installed here; larder array");
        assertThat(help.waitFor()).isZero();
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldRunANodeUntilItIsStopped() throws Exception {
        String file = scratch.resolve("array.properties").toString();
        String folder = scratch.resolve("node").toString();
        require(
                "array",
                "init",
                file,
                "--nodes",
                "127.0.0.1:" + FreePorts.takeNode().getPort(),
                "--stripes",
                "2");
        require("array", "create", file, "--node", "0", folder);
        ProcessBuilder serving = larder("array", "serve", file, "--node", "0", folder, "--maxclients", "100");
        serving.command().addAll(List.of("--requirepass", "secret"));
        Process node = serving.start();
        ProcessBuilder asking = larder("array", "status", file);
        asking.environment().put("LARDER_PASSWORD", "secret");
        try (BufferedReader output = node.inputReader()) {
            assertThat(output.readLine()).as(errors()).matches("node 0 serves .*node on 127\\.0\\.0\\.1 port \\d+");
            await().atMost(PATIENCE).until(() -> asking.start().waitFor() == 0);
            Process stranger = larder("array", "status", file).start();
            assertThat(output(stranger)).contains("NOAUTH");
            assertThat(stranger.waitFor()).isEqualTo(1);
            node.destroy();
            assertThat(node.waitFor()).isIn(0, 143);
        } finally {
            node.destroyForcibly();
        }
        assertThat(larder("array", "status", file).start().waitFor()).isEqualTo(1);
    }

    /** Three nodes, one of which is killed under load and comes back. */
    @Test
    void shouldShowAFailoverAndLeaveNothing() throws Exception {
        Path temporary = Files.createDirectory(scratch.resolve("temporary"));
        Path plot = scratch.resolve("plot.svg");
        Process demo = demo(temporary, plot).start();
        assertThat(output(demo))
                .contains("node 1 is killed", "node 1 is started again", " 0 errors")
                .contains("each read returned the last acknowledged value");
        assertThat(demo.waitFor()).as(errors()).isZero();
        assertThat(plot).content().startsWith("<svg ").endsWith("</svg>\n");
        assertNothingIsLeft(temporary);
    }

    /**
     * The experiment of the lab, as small as possible; it starts nodes from these distributions. A busy machine makes it void:
     * clients wait for 1.5 s.
     */
    @Test
    @Tag(Effort.QUIET)
    void shouldBeMeasuredByTheLab() throws Exception {
        Path out = scratch.resolve("result");
        ProcessBuilder builder = larder("lab", "array", "--quick", "--subjects", "array", "--out", out.toString());
        builder.command().addAll(List.of("--keys", "300", "--stripes", "2", "--outstanding", "8", "--seconds", "0.5"));
        builder.command().addAll(List.of("--percent", "50", "--failover", "8", "--scaling", "1"));
        builder.environment().put("LARDER_LAB", System.getProperty("larder.distribution.lab"));
        Process lab = builder.start();
        assertThat(output(lab))
                .as(errors())
                .contains("Load phase", "Closed loops", "Open loops", "A node is killed", "Stripes");
        assertThat(lab.waitFor()).as(errors()).isZero();
        assertThat(out.resolve("array-failover.svg")).exists();
        assertThat(nodes(out)).isZero();
    }

    @Test
    void shouldLeaveNothingIfItIsStopped() throws Exception {
        Path temporary = Files.createDirectory(scratch.resolve("temporary"));
        Process demo = demo(temporary, scratch.resolve("plot.svg")).start();
        try (BufferedReader output = demo.inputReader()) {
            assertThat(output.readLine()).startsWith("starting 3 nodes");
            await().atMost(PATIENCE).until(() -> nodes(temporary) == 3);
            demo.destroy();
            assertThat(demo.waitFor()).isEqualTo(143);
        } finally {
            demo.destroyForcibly();
        }
        assertNothingIsLeft(temporary);
    }

    private static void assertNothingIsLeft(Path temporary) {
        assertThat(temporary).isEmptyDirectory();
        assertThat(nodes(temporary)).isZero();
    }

    /** Returns how many processes, except the demo itself, have a file of a folder on their command line. */
    private static long nodes(Path temporary) {
        return ProcessHandle.allProcesses()
                .map(ArrayDistributionIT::commandLine)
                .filter(line -> line.contains("--until-input-ends") && line.contains(temporary.toString()))
                .count();
    }

    /** Reads the command line from the system: the JDK returns none longer than a page, and a class path is longer. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) { // the process has ended, or there is no such file system
            return process.info().commandLine().orElse("");
        }
    }

    private ProcessBuilder demo(Path temporary, Path plot) {
        ProcessBuilder builder = larder("array", "demo", "--quick", "--plot", plot.toString());
        builder.environment().put("LARDER_JAVA_OPTS", QUICK + " -Djava.io.tmpdir=" + temporary);
        return builder;
    }

    private void require(String... arguments) throws IOException, InterruptedException {
        assertThat(larder(arguments).start().waitFor()).as(errors()).isZero();
    }

    private ProcessBuilder larder(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(COMMAND.resolve("bin/larder").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(scratch.resolve("errors").toFile());
        builder.environment().put("LARDER_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LARDER_JAVA_OPTS", QUICK);
        builder.environment().put("LARDER_CACHE", "off"); // making one takes longer than these commands
        builder.environment().put("LARDER_SERVER", SERVER.toString());
        builder.environment().put("LARDER_ARRAY", ARRAY.toString());
        return builder;
    }

    private String errors() throws IOException {
        Path errors = scratch.resolve("errors");
        return Files.exists(errors) ? Files.readString(errors) : "";
    }

    private static String output(Process process) throws IOException {
        try (BufferedReader output = process.inputReader()) {
            return String.join("\n", output.lines().toList());
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
