package dev.larder.lab.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Characters of UTF-8; what is not UTF-8 becomes U+FFFD, and is counted. */
final class Utf8Reader extends Reader {

    private static final int BUFFERED = 1 << 13;
    private static final char REPLACEMENT = '\uFFFD';

    private final InputStream stream;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFERED).limit(0);
    private final CharBuffer decoded = CharBuffer.allocate(BUFFERED).limit(0);
    private boolean ended;
    private long replaced;

    Utf8Reader(InputStream stream) {
        this.stream = stream;
    }

    /** Returns how many malformed sequences were replaced up to here. */
    long replaced() {
        return replaced;
    }

    @Override
    public int read() throws IOException {
        return decoded.hasRemaining() || decodeMore() ? decoded.get() : -1;
    }

    @Override
    public int read(char[] chars, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!decoded.hasRemaining() && !decodeMore()) {
            return -1;
        }
        int count = Math.min(length, decoded.remaining());
        decoded.get(chars, offset, count);
        return count;
    }

    private boolean decodeMore() throws IOException {
        decoded.clear();
        while (decoded.position() == 0 && decodeStep()) {}
        return decoded.flip().hasRemaining();
    }

    /** Decodes what is here, or fetches more where that is too little; returns false at the end. */
    private boolean decodeStep() throws IOException {
        CoderResult result = decoder.decode(bytes, decoded, ended);
        if (result.isError()) {
            replace(result.length());
        } else if (result.isUnderflow() && decoded.position() == 0) {
            return fill();
        }
        return true;
    }

    /** Where there is no room the error comes again with the next buffer. */
    private void replace(int malformed) {
        if (decoded.hasRemaining()) {
            bytes.position(bytes.position() + malformed);
            decoded.put(REPLACEMENT);
            replaced++;
        }
    }

    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        bytes.compact();
        int read = stream.read(bytes.array(), bytes.position(), bytes.remaining());
        ended = read < 0;
        bytes.position(bytes.position() + Math.max(read, 0)).flip();
        return true;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
