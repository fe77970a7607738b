package dev.larder.lab.machine;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The outcome of a system command.
 *
 * @param code its exit code
 * @param said its output, without white space around it
 */
public record SystemCommand(int code, String said) {

    private static final long PATIENCE_SECONDS = 120;

    /** Runs a command in this process's directory; ends it after two minutes. */
    public static SystemCommand run(List<String> words) throws IOException, InterruptedException {
        return run(Path.of(""), words);
    }

    /** As above, in another directory. */
    public static SystemCommand run(Path directory, List<String> words) throws IOException, InterruptedException {
        return run(new ProcessBuilder(words)
                .directory(directory.toAbsolutePath().toFile())
                .redirectErrorStream(true));
    }

    private static SystemCommand run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        process.getOutputStream().close();
        CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new SystemCommand(process.waitFor(), said.strip());
    }

    /** Runs a command in a directory; returns its output; empty if it failed. */
    public static Optional<String> tried(Path directory, String... words) {
        try {
            SystemCommand command = run(new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD));
            return command.code == 0 ? Optional.of(command.said) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // there is no such command
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /**
     * Runs a command and returns its output.
     *
     * @throws LabException with its output if it fails
     */
    public static String answer(String... words) {
        SystemCommand command = Attempt.giving("run " + words[0], () -> run(List.of(words)));
        if (command.code != 0) {
            throw new LabException(String.join(" ", words) + ": "
                    + (command.said.isEmpty() ? "exit code " + command.code : command.said));
        }
        return command.said;
    }

    /** Returns the path of a program on the PATH. */
    public static Optional<Path> find(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the path of a program; without it, fails and says how to install it. */
    public static String require(String program, String remedy) {
        return find(program)
                .map(Path::toString)
                .orElseThrow(() -> new LabException("there is no " + program + ": " + remedy));
    }

    /** Returns whether this process runs as root. */
    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
