package dev.larder.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Optional;

/**
 * The standard streams, as a command uses them.
 *
 * @param in what is appended
 * @param out the answer, and nothing else
 * @param err messages for people: progress and errors
 * @param terminal whether a person sits in front of them
 */
public record Streams(InputStream in, Answer out, PrintStream err, boolean terminal) {

    /** Returns the streams of this process; the output is buffered, and its writer flushes. */
    static Streams ofProcess() {
        return new Streams(System.in, new Answer(new FileOutputStream(FileDescriptor.out)), System.err, isTerminal());
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
