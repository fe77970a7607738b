package dev.larder.tests.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A copy of the suite in which a program of ours replaces {@code src/redis-server}.
 *
 * <pre>
 * tests/             the suite's; servers run in tests/tmp
 * src/redis-server   the program
 * src/redis-cli      the installed one; so is src/redis-benchmark
 * suite.log          what the suite prints
 * </pre>
 *
 * <p>It lies in the system's folder for temporary files: the path of a socket in it must be short.
 */
final class SuiteFolder implements AutoCloseable {

    private final Path root;
    private final boolean kept;

    private SuiteFolder(Path root, boolean kept) {
        this.root = root;
        this.kept = kept;
    }

    /** Makes a copy. */
    static SuiteFolder of(Path suite, Path program, boolean kept) throws IOException {
        Path root = Files.createTempDirectory("larder-redis-suite-");
        copy(suite.resolve("tests"), root.resolve("tests"));
        Files.createDirectories(root.resolve("tests/tmp"));
        Path programs = Files.createDirectory(root.resolve("src"));
        Files.createSymbolicLink(programs.resolve("redis-server"), program.toAbsolutePath());
        for (String name : List.of("redis-cli", "redis-benchmark")) {
            Optional<Path> installed = installed(name);
            if (installed.isPresent()) {
                Files.createSymbolicLink(programs.resolve(name), installed.get());
            }
        }
        return new SuiteFolder(root, kept);
    }

    /** Returns an installed program. */
    static Optional<Path> installed(String name) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Fetches the suite, if it is not there yet, and returns its folder; empty if this machine cannot. */
    static Optional<Path> fetch(Path home) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(home.resolve("fetch").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        return process.waitFor() == 0 ? Optional.of(Path.of(output)) : Optional.empty();
    }

    /**
     * Returns the environment for the program {@code larder}: the command that starts the server, and whether it takes a
     * configuration.
     */
    static Map<String, String> environmentOf(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" +", -1)));
        words.add("--help");
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Map.of("LARDER_SUITE_COMMAND", command, "LARDER_SUITE_CONFIG", help.contains("--config") ? "yes" : "no");
    }

    Path root() {
        return root;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (kept) {
            System.err.println("kept: " + root);
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(SuiteFolder::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
