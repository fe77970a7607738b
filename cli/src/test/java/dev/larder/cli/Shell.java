package dev.larder.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands as a shell would, on streams of their own, and keeps what the last one printed. */
abstract class Shell {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    /** Runs a command and returns its exit code. */
    final int larder(byte[] input, String... arguments) {
        out.reset();
        return larder(input, out, arguments);
    }

    /** Runs a command whose answer goes elsewhere. */
    final int larder(byte[] input, OutputStream target, String... arguments) {
        err.reset();
        PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8);
        ByteArrayInputStream in = new ByteArrayInputStream(input);
        return Larder.execute(new Streams(in, new Answer(target), errors, false), arguments);
    }

    /** Returns the answer of the last command. */
    final String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Returns the answer of the last command, byte by byte. */
    final byte[] answer() {
        return out.toByteArray();
    }

    /** Returns the error output of the last command. */
    final String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Returns the input of a command that is typed. */
    static byte[] typed(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
