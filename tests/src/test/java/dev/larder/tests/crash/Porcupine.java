package dev.larder.tests.crash;

import dev.larder.tests.crash.MapClerk.Kind;
import dev.larder.tests.crash.MapClerk.Note;
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

/**
 * Porcupine, a checker of histories that others have written and use: a second opinion on what {@link KeyHistory} says. It is
 * a program in Go, {@code tests/porcupine}, built once a JVM. Where there is no Go, or its module cannot be fetched,
 * {@link #missing} says so.
 */
final class Porcupine {

    private static final Path SOURCES = Path.of(System.getProperty("larder.root"), "tests", "porcupine");
    private static final int MINUTES = 6;
    private static final Porcupine CHECKER = new Porcupine();

    private final Optional<Path> program;
    private final Optional<String> missing;

    /** How a program ended, and what it has said. */
    private record End(int code, String said) {}

    private Porcupine() {
        Path built = temporary("porcupine", ".bin");
        Optional<String> failure = build(built);
        missing = failure;
        program = failure.isEmpty() ? Optional.of(built) : Optional.empty();
    }

    /** Returns why there is none; empty where there is one. */
    static Optional<String> missing() {
        return CHECKER.missing;
    }

    /**
     * Judges a history of several keys; empty where each has an order, and where there is no checker.
     *
     * @return which key has none, and where a picture of it lies
     */
    static Optional<String> misfit(List<Note> notes) {
        return CHECKER.program.flatMap(built -> judge(built, notes));
    }

    private static Optional<String> judge(Path built, List<Note> notes) {
        Path history = temporary("history", ".txt");
        Path picture = temporary("history", ".html");
        write(history, notes.stream().map(Porcupine::line).toList());
        End end = run(SOURCES, built.toString(), history.toString(), picture.toString());
        if (end.code > 1) {
            throw new AssertionError("the checker has ended with " + end.code + ": " + end.said);
        }
        return end.code == 0 ? Optional.empty() : Optional.of(end.said + keep(picture));
    }

    private static String line(Note note) {
        return note.key() + " " + name(note.kind()) + " " + note.argument() + " " + note.result() + " " + note.called()
                + " " + note.returned();
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case GET -> "get";
            case PUT -> "put";
            case REMOVE -> "remove";
            case PUT_IF_ABSENT -> "putIfAbsent";
            case COMPUTE -> "compute";
        };
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

    /** A picture outlives the test. */
    private static String keep(Path picture) {
        try {
            return "drawn in " + Files.move(picture, picture.resolveSibling("kept-" + picture.getFileName()));
        } catch (IOException e) {
            return "not drawn: " + e;
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
