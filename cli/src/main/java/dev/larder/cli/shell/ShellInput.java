package dev.larder.cli.shell;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/** Where a shell's lines come from: a terminal, a file, or a pipe. */
interface ShellInput extends AutoCloseable {

    /**
     * Waits for the next line, and returns it; empty at the end of the input. Before it waits, what was done so far is made durable.
     *
     * @throws CharacterCodingException if the line is no text; the next one can be read
     * @throws IOException if the input cannot be read
     * @throws dev.larder.memory.LarderException if what was done so far cannot be made durable
     */
    Optional<String> next() throws IOException;

    @Override
    void close() throws IOException;
}
