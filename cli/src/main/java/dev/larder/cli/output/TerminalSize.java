package dev.larder.cli.output;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The rows and columns of the terminal, from {@code stty}. It is queried before each screen, since windows change. */
public record TerminalSize(int rows, int columns) {

    private static final File TERMINAL = new File("/dev/tty");

    /** Returns the current size; empty if it is unknown. */
    public static Optional<TerminalSize> ask() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(TERMINAL)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Parses {@code 24 80}. A terminal that does not know its size reports {@code 0 0}. */
    public static Optional<TerminalSize> parse(String answer) {
        if (!answer.strip().matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
            return Optional.empty();
        }
        String[] words = answer.strip().split(" ", -1);
        return Optional.of(new TerminalSize(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
    }
}
