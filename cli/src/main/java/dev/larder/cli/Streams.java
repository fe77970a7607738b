package dev.larder.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return new Streams(
                System.in, new Answer(new FileOutputStream(FileDescriptor.out), isPipe()), System.err, isTerminal());
    }

    /** Linux tells what the output is, such as {@code pipe:[4711]}; elsewhere the error has to tell. */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
