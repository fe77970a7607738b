package dev.larder.cli.shell;

import java.io.IOException;
import java.util.Optional;

/** Where a shell's lines come from: a terminal, a file, or a pipe. */
interface ShellInput extends AutoCloseable {

    /**
     * Waits for the next line, and returns it; empty at the end of the input.
     *
     * @throws IOException if the input cannot be read
     */
    Optional<String> next() throws IOException;

    @Override
    void close() throws IOException;
}
