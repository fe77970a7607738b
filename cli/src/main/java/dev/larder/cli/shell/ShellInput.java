package dev.larder.cli.shell;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/** The source of a shell's lines: a terminal, a file, or a pipe. */
interface ShellInput extends AutoCloseable {

    /**
     * Waits for the next line, and returns it; empty at the end of the input. Before the wait, the changes so far are made
     * durable.
     *
     * @throws CharacterCodingException if the line is not text; the next one can still be read
     * @throws IOException if the input cannot be read
     * @throws dev.larder.memory.LarderException if the changes so far cannot be made durable
     */
    Optional<String> next() throws IOException;

    @Override
    void close() throws IOException;
}
