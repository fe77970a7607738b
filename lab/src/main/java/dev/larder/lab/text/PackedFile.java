package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/**
 * A file of text that may be packed by gzip or bzip2, each in one stream or in several after one another, as large dumps
 * are. A byte order mark is left out.
 */
final class PackedFile implements Closeable {

    private static final int LOOKED_AT = 1 << 12;
    private static final int GZIP = 0x1F8B08;
    private static final int BZIP2 = ('B' << 16) | ('Z' << 8) | 'h';

    private final String name;
    private final CountedStream file;
    private final InputStream text;

    private PackedFile(String name, CountedStream file) throws IOException {
        this.name = name;
        this.file = file;
        this.text = new BufferedInputStream(new Guarded(unpacked(file)), 1 << 16);
        skipByteOrderMark();
    }

    static PackedFile open(Path path) throws IOException {
        CountedStream file = new CountedStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16));
        try {
            return new PackedFile(path.getFileName().toString(), file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private InputStream unpacked(CountedStream stream) throws IOException {
        try {
            return switch (magic(stream)) {
                case GZIP -> new GZIPInputStream(stream, 1 << 16);
                case BZIP2 -> new BZip2CompressorInputStream(stream, true);
                default -> stream;
            };
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The first three bytes, which stay where they are. */
    private static int magic(InputStream stream) throws IOException {
        stream.mark(3);
        int magic = (stream.read() << 16) | (stream.read() << 8) | stream.read();
        stream.reset();
        return magic;
    }

    private void skipByteOrderMark() throws IOException {
        text.mark(3);
        if (text.read() != 0xEF || text.read() != 0xBB || text.read() != 0xBF) {
            text.reset();
        }
    }

    /** Returns the name of the file, without its directory. */
    String name() {
        return name;
    }

    /** Returns the text, unpacked. */
    InputStream text() {
        return text;
    }

    /** Tells whether the first character that is not white is this one; for text of which nothing was read yet. */
    boolean beginsWith(char character) throws IOException {
        text.mark(LOOKED_AT);
        int first = firstNotWhite();
        text.reset();
        return first == character;
    }

    private int firstNotWhite() throws IOException {
        int next = text.read();
        for (int looked = 1; looked < LOOKED_AT && next >= 0 && next <= ' '; looked++) {
            next = text.read();
        }
        return next;
    }

    private LabException unreadable(IOException cause) {
        return new LabException(
                name + ": cannot be read on at byte " + file.position() + " of the file: " + cause.getMessage(), cause);
    }

    @Override
    public void close() throws IOException {
        text.close();
    }

    /** Says of what cannot be unpacked where in the file that is. */
    private final class Guarded extends FilterInputStream {

        Guarded(InputStream in) {
            super(in);
        }

        @Override
        public int read() {
            try {
                return super.read();
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            try {
                return super.read(bytes, offset, length);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }
    }

    /** Knows how far it was read. */
    private static final class CountedStream extends FilterInputStream {

        private long position;
        private long marked;

        CountedStream(InputStream in) {
            super(in);
        }

        long position() {
            return position;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            position += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            position += Math.max(read, 0);
            return read;
        }

        @Override
        public synchronized void mark(int limit) {
            super.mark(limit);
            marked = position;
        }

        @Override
        public synchronized void reset() throws IOException {
            super.reset();
            position = marked;
        }
    }
}
