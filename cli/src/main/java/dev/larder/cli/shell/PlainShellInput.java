package dev.larder.cli.shell;

import dev.larder.cli.entry.JsonMessages;
import dev.larder.cli.entry.LineReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Optional;

/** The lines of a file or a pipe. */
final class PlainShellInput implements ShellInput {

    private static final long LINE_MAX_BYTES = 1L << 30;

    private final LineReader lines;
    private byte[] line = new byte[0];

    /**
     * Creates an input of the lines of a stream.
     *
     * @param beforeWait runs before each wait for more input: a program at the other end may wait for an answer
     */
    PlainShellInput(InputStream in, Runnable beforeWait) {
        this.lines = new LineReader(new Waiting(in, beforeWait), LINE_MAX_BYTES);
    }

    @Override
    public Optional<String> next() throws IOException {
        if (!lines.next((bytes, offset, length) -> line = Arrays.copyOfRange(bytes, offset, offset + length))) {
            return Optional.empty();
        }
        String text = JsonMessages.text(line);
        if (text == null) {
            throw new CharacterCodingException();
        }
        return Optional.of(text);
    }

    @Override
    public void close() {
        // the standard input is not ours
    }

    private static final class Waiting extends FilterInputStream {

        private final Runnable beforeWait;

        Waiting(InputStream in, Runnable beforeWait) {
            super(in);
            this.beforeWait = beforeWait;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (in.available() == 0) {
                beforeWait.run();
            }
            return super.read(target, offset, length);
        }
    }
}
