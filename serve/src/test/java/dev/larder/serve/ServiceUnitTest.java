package dev.larder.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The unit of systemd that comes with the server: its command is one that the server takes, and systemd knows its options. */
final class ServiceUnitTest {

    private static final Path UNIT = Path.of("..", "distribution-server", "src", "main", "service", "larder.service");
    private static final Path LAUNCHER = Path.of("..", "distribution", "src", "main", "bin", "larder");
    private static final String START = "ExecStart=/opt/larder/bin/larder ";

    @TempDir
    private Path directory;

    private static List<String> unit() throws IOException {
        return Files.readAllLines(UNIT);
    }

    @Test
    void theCommandIsOneThatTheServerTakes() throws IOException {
        List<String> starts =
                unit().stream().filter(line -> line.startsWith("ExecStart=")).toList();
        assertThat(starts).hasSize(1).first().asString().startsWith(START);
        List<String> words = new ArrayList<>(
                List.of(starts.getFirst().substring(START.length()).split(" ", -1)));
        assertThat(words.removeFirst()).isEqualTo("serve");
        CommandLine.ParseResult parsed = new ServeCommands().command().parseArgs(words.toArray(String[]::new));
        assertThat(parsed.errors()).isEmpty();
        assertThat(parsed.matchedPositionalValue(0, Path.of(""))).isEqualTo(Path.of("/var/lib/larder"));
        assertThat(LAUNCHER).isRegularFile();
    }

    /** What the JVM needs, and a hardening that is often copied would take away. */
    @Test
    void whatTheServerNeedsIsNotTakenAway() throws IOException {
        assertThat(unit())
                .contains("NoNewPrivileges=yes", "ProtectSystem=strict", "StateDirectory=larder", "UMask=0077")
                .noneMatch(line -> line.startsWith("MemoryDenyWriteExecute"))
                .noneMatch(line -> line.startsWith("ProtectProc"))
                .noneMatch(line -> line.startsWith("PrivateUsers"));
    }

    @Test
    void systemdKnowsItsOptions() throws IOException, InterruptedException {
        Path analyze = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(Files.isExecutable(analyze), "there is no systemd-analyze");
        Path copy = directory.resolve("larder.service");
        Files.write(
                copy,
                unit().stream()
                        .filter(line -> !line.startsWith("User=") && !line.startsWith("Group="))
                        .map(line -> line.replace("/opt/larder/bin/larder", "/bin/true"))
                        .toList());
        Process process = new ProcessBuilder(analyze.toString(), "verify", copy.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        assumeTrue(!said.contains("Failed to initialize"), said); // a container without systemd's folders
        assertThat(said.lines().filter(line -> line.contains("larder.service"))).isEmpty();
        assertThat(code).isZero();
    }
}
