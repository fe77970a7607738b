package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cluster clients that are programs of their own, unmodified. */
@Tag(Effort.LONG)
final class ClusterProgramsTest {

    private static final Path PROGRAMS = Path.of("src/test/programs");

    @TempDir
    static Path arrayDirectory;

    private static TestArray array;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        array = new TestArray(arrayDirectory);
    }

    /** Restores the array: a test may have stopped a node. */
    @BeforeEach
    void restore() {
        array.restore();
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    @Test
    void redisCommandLine() throws Exception {
        require("redis-cli");
        String port = Integer.toString(array.port(0));
        for (int i = 0; i < 20; i++) { // on slots of all nodes
            assertThat(run(directory, "redis-cli", "-c", "-p", port, "set", "cli" + i, "value" + i))
                    .isEqualTo("OK\n");
            assertThat(run(directory, "redis-cli", "-c", "-p", port, "get", "cli" + i))
                    .isEqualTo("value" + i + "\n");
        }
        assertThat(run(directory, "redis-cli", "-p", port, "--cluster", "call", "127.0.0.1:" + port, "dbsize"))
                .contains("127.0.0.1:" + array.port(1), "127.0.0.1:" + array.port(2));
    }

    @Test
    void redisBenchmark() throws Exception {
        require("redis-benchmark");
        String output = run(
                directory,
                "redis-benchmark",
                "--cluster",
                "-p",
                Integer.toString(array.port(0)),
                "-t",
                "set,get",
                "-n",
                "3000",
                "-c",
                "20",
                "-r",
                "1000",
                "--csv");
        assertThat(output).contains("\"SET\"", "\"GET\"").doesNotContain("Error", "ERR");
    }

    @Test
    void redisPy() throws Exception {
        require("python3");
        Path program = copyOf("python");
        Path packages = program.resolve("packages");
        fetch(program, "python3", "-m", "pip", "install", "-q", "-t", packages.toString(), "-r", "requirements.txt");
        throughALoss(
                "env",
                "PYTHONPATH=" + packages,
                "python3",
                program.resolve("cluster.py").toString());
    }

    @Test
    void goRedis() throws Exception {
        require("go");
        Path program = copyOf("go");
        fetch(program, "go", "mod", "tidy");
        fetch(program, "go", "build", "-o", "cluster", ".");
        throughALoss(program.resolve("cluster").toString());
    }

    private static void require(String program) {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(found, program + " is not installed");
    }

    private Path copyOf(String program) throws IOException {
        Path copy = directory.resolve(program);
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(PROGRAMS.resolve(program))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        return copy;
    }

    /** Fetches the packages of a program. The test is skipped if that fails. */
    private void fetch(Path program, String... command) throws Exception {
        int code = start(program, command).waitFor();
        String said = Files.readString(directory.resolve("output"));
        assumeTrue(code == 0, () -> "no packages for " + program.getFileName() + ": " + said);
    }

    private Process start(Path folder, String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private String run(Path folder, String... command) throws Exception {
        Process process = start(folder, command);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readString(directory.resolve("output"));
    }

    /** Runs a program that writes and reads in rounds, while a node stops and comes back. */
    private void throughALoss(String... command) throws Exception {
        String ports = IntStream.range(0, TestArray.NODES)
                .mapToObj(node -> Integer.toString(array.port(node)))
                .collect(Collectors.joining(","));
        Process process = start(
                directory, Stream.concat(Stream.of(command), Stream.of(ports)).toArray(String[]::new));
        try {
            awaitRounds(process, 2);
            array.stop(0);
            awaitRounds(process, 3);
            array.start(0);
            awaitRounds(process, 3);
            try (OutputStream input = process.getOutputStream()) {
                input.write("\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(lines()).last().isEqualTo("ok");
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(directory.resolve("output"));
    }

    private void awaitRounds(Process process, int more) throws IOException {
        int before = lines().size();
        await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive() || lines().size() >= before + more);
        assertThat(process.isAlive()).as(() -> "the program ended").isTrue();
    }
}
