package dev.larder.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Porcupine, a checker of histories that others have written and use. It is a program in Go, {@code tests/porcupine}, built
 * once per JVM; its page defines the lines of a history. If there is no Go, or its module cannot be fetched, {@link #missing}
 * returns the reason.
 */
public final class Porcupine {

    private static final Path SOURCES = sources();
    private static final int MINUTES = 6;

    /** The checker's verdict begins with this word, and with the key that has no order. */
    private static final String KEY = "key ";

    private static final Porcupine CHECKER = new Porcupine();

    private final Optional<Path> program;
    private final Optional<String> missing;

    /** How a program ended, and its output. */
    private record End(int code, String said) {}

    private Porcupine() {
        Path built = temporary("porcupine", ".bin");
        Optional<String> failure = build(built);
        missing = failure;
        program = failure.isEmpty() ? Optional.of(built) : Optional.empty();
    }

    /** Finds the sources from the folder of any module. */
    private static Path sources() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("tests").resolve("porcupine"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException(
                        "no folder tests/porcupine above " + Path.of("").toAbsolutePath());
            }
        }
        return folder.resolve("tests").resolve("porcupine");
    }

    /** Returns why there is no checker; empty if there is one. */
    public static Optional<String> missing() {
        return CHECKER.missing;
    }

    /**
     * Judges a history of several keys; empty if each key has an order, or if there is no checker.
     *
     * @param model the kind of the keys: {@code map} or {@code string}
     * @param lines the calls
     * @return the key that has no order, and the place of a picture of it
     */
    public static Optional<String> misfit(String model, List<String> lines) {
        return CHECKER.program.flatMap(built -> judge(built, model, lines));
    }

    private static Optional<String> judge(Path built, String model, List<String> lines) {
        Path history = temporary("history", ".txt");
        Path picture = temporary("history", ".html");
        write(history, lines);
        End end = run(SOURCES, built.toString(), model, history.toString(), picture.toString());
        if (end.code > 1) {
            throw new AssertionError(
                    "the checker has ended with " + end.code + ": " + end.said + "on " + keep(history));
        }
        return end.code == 0
                ? Optional.empty()
                : Optional.of(end.said + "drawn in " + keep(picture) + ", all calls in " + keep(history) + "\n"
                        + callsOf(end.said, lines));
    }

    /** Returns the calls of the key that has no order. A report shows them, for no file of another machine can be read. */
    private static String callsOf(String said, List<String> lines) {
        String key =
                said.startsWith(KEY) ? said.substring(KEY.length(), Math.max(said.indexOf(':'), KEY.length())) : "";
        return lines.stream().filter(line -> line.startsWith(key + " ")).collect(Collectors.joining("\n"));
    }

    private static Optional<String> build(Path built) {
        End end = run(SOURCES, "go", "build", "-buildvcs=false", "-o", built.toString(), ".");
        return end.code == 0 ? Optional.empty() : Optional.of("no Porcupine, go build: " + end.said);
    }

    private static End run(Path directory, String... command) {
        Path output = temporary("porcupine", ".out");
        try {
            Process process = new ProcessBuilder(new ArrayList<>(Arrays.asList(command)))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(output.toFile()))
                    .start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
                return new End(-1, "not done after " + MINUTES + " minutes");
            }
            return new End(process.exitValue(), Files.readString(output));
        } catch (IOException e) {
            return new End(-1, e.toString());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps a picture and its history after the end of the test. */
    private static String keep(Path file) {
        try {
            return Files.move(file, file.resolveSibling("kept-" + file.getFileName()))
                    .toString();
        } catch (IOException e) {
            return "no file: " + e;
        }
    }

    private static Path temporary(String name, String suffix) {
        try {
            Path file = Files.createTempFile(name, suffix);
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
