package dev.larder.cli.output;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** How many rows and columns the terminal has, as {@code stty} tells; asked before each screen, since windows change. */
public record TerminalSize(int rows, int columns) {

    private static final File TERMINAL = new File("/dev/tty");

    /** Returns the size now; empty where nobody tells. */
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

    /** Reads {@code 24 80}; a terminal that does not know its size says {@code 0 0}. */
    public static Optional<TerminalSize> parse(String answer) {
        if (!answer.strip().matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
            return Optional.empty();
        }
        String[] words = answer.strip().split(" ", -1);
        return Optional.of(new TerminalSize(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
    }
}
