package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/**
 * The characters of a file, optionally packed by gzip or bzip2, in one stream or in several after one another, like large
 * dumps. It skips a byte order mark. Read errors name the place in the file.
 */
final class PackedFile extends Reader {

    private static final int BUFFERED = 1 << 16;
    private static final int LOOKED_AT = 1 << 12;
    private static final Set<String> KINDS = Set.of(CompressorStreamFactory.GZIP, CompressorStreamFactory.BZIP2);

    private final String name;
    private final FileChannel file;
    private final BufferedReader text;

    PackedFile(Path path) throws IOException {
        name = path.getFileName().toString();
        file = FileChannel.open(path);
        try {
            InputStream stream = new BufferedInputStream(Channels.newInputStream(file), BUFFERED);
            text = new BufferedReader(new InputStreamReader(unpacked(stream), StandardCharsets.UTF_8), BUFFERED);
            text.mark(1);
            if (text.read() != '\uFEFF') {
                text.reset();
            }
        } catch (IOException e) {
            LabException unreadable = unreadable(e);
            file.close();
            throw unreadable;
        }
    }

    private static InputStream unpacked(InputStream stream) throws CompressorException {
        String kind;
        try {
            kind = CompressorStreamFactory.detect(stream);
        } catch (CompressorException e) {
            return stream; // not packed
        }
        return KINDS.contains(kind)
                ? new CompressorStreamFactory(true).createCompressorInputStream(kind, stream)
                : stream;
    }

    private LabException unreadable(IOException cause) {
        return new LabException(
                name + ": cannot continue reading at byte " + position() + " of the file: " + cause.getMessage(),
                cause);
    }

    private long position() {
        try {
            return file.position();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the name of the file, without its directory. */
    String name() {
        return name;
    }

    /** Returns whether the first character that is not white is this one; only before the first read. */
    boolean beginsWith(char character) throws IOException {
        text.mark(LOOKED_AT);
        int next = read();
        for (int looked = 1; looked < LOOKED_AT && next >= 0 && next <= ' '; looked++) {
            next = read();
        }
        text.reset();
        return next == character;
    }

    @Override
    public int read() {
        try {
            return text.read();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public int read(char[] characters, int offset, int length) {
        try {
            return text.read(characters, offset, length);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
        text.close();
    }
}
