package dev.larder.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a command, buffered: a PrintStream that keeps the reason if it could not be written. A plain PrintStream only
 * reports that a write failed, not why.
 */
public final class Answer extends PrintStream {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Target target;

    private final boolean isForeignPipe;

    /** Creates an answer that goes to a stream. */
    public Answer(OutputStream stream) {
        this(stream, false);
    }

    /**
     * Creates an answer that goes to a stream.
     *
     * @param isForeignPipe whether the stream is a pipe, and the system does not speak English. Then its words for a broken
     *     pipe are not known, and any failure counts as one
     */
    Answer(OutputStream stream, boolean isForeignPipe) {
        this(new Target(stream), isForeignPipe);
    }

    private Answer(Target target, boolean isForeignPipe) {
        super(new BufferedOutputStream(target, BUFFER_BYTES), false, StandardCharsets.UTF_8);
        this.target = target;
        this.isForeignPipe = isForeignPipe;
    }

    /** Flushes, and returns why the answer is incomplete; empty if it is complete. */
    public Optional<IOException> failure() {
        flush();
        return Optional.ofNullable(target.failure);
    }

    /** Returns whether the answer is incomplete because its reader has stopped reading ({@code | head}). */
    public boolean isUnread() {
        Optional<IOException> failure = failure();
        return (isForeignPipe && failure.isPresent())
                || failure.map(IOException::getMessage)
                        .filter(reason -> reason.toLowerCase(Locale.ROOT).contains("pipe"))
                        .isPresent(); // "Broken pipe"; Windows: "The pipe is being closed"
    }

    /** Returns a stream into the answer that throws as soon as a write of the answer has failed. */
    public OutputStream strict() {
        return new Strict();
    }

    private final class Strict extends OutputStream {

        @Override
        public void write(int octet) throws IOException {
            Answer.this.write(octet);
            target.requireWhole();
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Answer.this.write(source, offset, length);
            target.requireWhole();
        }

        @Override
        public void flush() throws IOException {
            Answer.this.flush();
            target.requireWhole();
        }
    }

    /** The target stream. It gets no bytes after a failure, so that it holds the beginning of the answer. */
    private static final class Target extends OutputStream {

        private final OutputStream stream;
        private volatile @Nullable IOException failure;

        Target(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            requireWhole();
            try {
                stream.write(source, offset, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        @Override
        public void flush() throws IOException {
            requireWhole();
            try {
                stream.flush();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        void requireWhole() throws IOException {
            IOException known = failure;
            if (known != null) {
                throw known;
            }
        }
    }
}
