package dev.larder.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The standard streams of a command.
 *
 * @param in the input, for example messages to append
 * @param out the answer, and nothing else
 * @param err messages for the user: progress and errors
 * @param terminal whether they are connected to a terminal
 */
public record Streams(InputStream in, Answer out, PrintStream err, boolean terminal) {

    /** Returns the streams of this process. The output is buffered; the code that writes it flushes it. */
    static Streams ofProcess() {
        boolean isForeignPipe = !isEnglish(Locale.getDefault(Locale.Category.DISPLAY)) && isPipe();
        Answer out = new Answer(new FileOutputStream(FileDescriptor.out), isForeignPipe);
        return new Streams(System.in, out, System.err, isTerminal());
    }

    /**
     * Returns whether the output is known to be a pipe. Linux shows that, as {@code pipe:[4711]}; elsewhere only the error
     * shows it.
     */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Returns whether the system's words are English. Java takes this locale from the variables that the system heeds. */
    static boolean isEnglish(Locale words) {
        return words.getLanguage().isEmpty() || words.getLanguage().equals(Locale.ENGLISH.getLanguage());
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
}
