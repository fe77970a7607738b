package dev.larder.tests.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.server.LarderServer;
import dev.larder.tests.support.Effort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tour with clients of other languages, each a program of its own. Their packages come from the registry of the language,
 * at pinned versions, into a folder of the test.
 */
@Tag(Effort.LONG)
final class ClientProgramsIT {

    private static final Path PROGRAMS = Path.of("programs");

    @TempDir
    private Path directory;

    @Test
    void redisCommandLine() throws Exception {
        require("redis-cli");
        tour("sh", copyOf("shell").resolve("tour.sh").toString());
    }

    @Test
    void redisPy() throws Exception {
        require("python3");
        Path program = copyOf("python");
        Path packages = program.resolve("packages");
        fetch(program, "python3", "-m", "pip", "install", "-q", "-t", packages.toString(), "-r", "requirements.txt");
        tour(
                "env",
                "PYTHONPATH=" + packages,
                "python3",
                program.resolve("tour.py").toString());
    }

    @Test
    void nodeRedis() throws Exception {
        require("npm");
        Path program = copyOf("node");
        fetch(program, "npm", "install", "--silent", "--no-audit", "--no-fund");
        tour("node", program.resolve("tour.mjs").toString());
    }

    @Test
    void goRedis() throws Exception {
        require("go");
        Path program = copyOf("go");
        fetch(program, "go", "mod", "tidy");
        fetch(program, "go", "build", "-o", "tour", ".");
        tour(program.resolve("tour").toString());
    }

    @Test
    void redisRs() throws Exception {
        require("cargo");
        Path program = copyOf("rust");
        fetch(program, "cargo", "fetch", "-q");
        assertThat(run(program, "cargo", "build", "-q", "--offline")).isEmpty();
        tour(program.resolve("target/debug/tour").toString());
    }

    private static void require(String program) {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(found, program + " is not installed");
    }

    private Path copyOf(String program) throws IOException {
        Path copy = directory.resolve(program);
        try (Stream<Path> files = Files.walk(PROGRAMS.resolve(program))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target =
                        copy.resolve(PROGRAMS.resolve(program).relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return copy;
    }

    /** Fetches the packages that a program needs; skips the tour if the registry cannot be reached. */
    private void fetch(Path program, String... command) throws Exception {
        String failure = run(program, command);
        assumeTrue(failure.isEmpty(), () -> "no packages for " + program.getFileName() + ": " + failure);
    }

    private void tour(String... command) throws Exception {
        try (LarderServer server = TourServer.start(directory.resolve("data"))) {
            List<String> whole = Stream.concat(Stream.of(command), Stream.of(Integer.toString(server.port())))
                    .toList();
            assertThat(run(directory, whole.toArray(String[]::new))).isEmpty();
            assertThat(directory.resolve("output")).content().endsWith("tour ok\n");
        }
    }

    /** Runs a command; returns its output if it failed, otherwise an empty text. */
    private String run(Path folder, String... command) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = process.waitFor();
        return code == 0 ? "" : String.join(" ", command) + " ended with " + code + ": " + Files.readString(output);
    }
}
