package dev.larder.cli;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The standard streams, as a command uses them.
 *
 * @param in what is appended
 * @param out the answer, and nothing else
 * @param err messages for people: progress and errors
 * @param terminal whether a person sits in front of them
 */
record Streams(InputStream in, PrintStream out, PrintStream err, boolean terminal) {

    private static final int OUT_BUFFER_BYTES = 1 << 16;

    /** Returns the streams of this process; the output is buffered, and its writer flushes. */
    static Streams ofProcess() {
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BUFFER_BYTES),
                false,
                StandardCharsets.UTF_8);
        return new Streams(System.in, out, System.err, isTerminal());
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
