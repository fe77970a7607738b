package dev.larder.arraycli;

import dev.larder.cli.Answer;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs commands as a shell would, and keeps what the last one printed. */
final class ArrayShell {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Runs {@code larder array} and returns its exit code. */
    int array(String... arguments) {
        out.reset();
        err.reset();
        String[] words = new String[arguments.length + 1];
        words[0] = "array";
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        PrintStream errors = new PrintStream(err, false, StandardCharsets.UTF_8);
        return Larder.execute(new Streams(InputStream.nullInputStream(), new Answer(out), errors, false), words);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
