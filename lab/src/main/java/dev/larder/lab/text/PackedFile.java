package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.utils.InputStreamStatistics;

/**
 * A file of text that may be packed by gzip or bzip2, each in one stream or in several after one another, as large dumps
 * are. A byte order mark is left out.
 */
final class PackedFile implements Closeable {

    private static final int LOOKED_AT = 1 << 12;
    private static final int GZIP = 0x1F8B08;
    private static final int BZIP2 = ('B' << 16) | ('Z' << 8) | 'h';

    private final String name;
    private final InputStream text;

    private PackedFile(String name, InputStream unpacked) throws IOException {
        this.name = name;
        text = new BufferedInputStream(new Guarded(unpacked), 1 << 16);
        text.mark(3);
        if (text.read() != 0xEF || text.read() != 0xBB || text.read() != 0xBF) {
            text.reset(); // no byte order mark
        }
    }

    static PackedFile open(Path path) throws IOException {
        String name = path.getFileName().toString();
        InputStream file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        try {
            return new PackedFile(name, unpacked(name, file));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static InputStream unpacked(String name, InputStream file) throws IOException {
        file.mark(3);
        int magic = (file.read() << 16) | (file.read() << 8) | file.read();
        file.reset();
        try {
            return switch (magic) {
                case GZIP -> new GzipCompressorInputStream(file, true);
                case BZIP2 -> new BZip2CompressorInputStream(file, true);
                default -> file;
            };
        } catch (IOException e) {
            throw unreadable(name, 0, e);
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
        int next = text.read();
        for (int looked = 1; looked < LOOKED_AT && next >= 0 && next <= ' '; looked++) {
            next = text.read();
        }
        text.reset();
        return next == character;
    }

    private static LabException unreadable(String name, long position, IOException cause) {
        return new LabException(
                name + ": cannot be read on at byte " + position + " of the file: " + cause.getMessage(), cause);
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

        private LabException unreadable(IOException cause) {
            long position = in instanceof InputStreamStatistics packed ? packed.getCompressedCount() : 0;
            return PackedFile.unreadable(name, position, cause);
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
}
