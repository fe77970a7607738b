package dev.larder.cli.entry;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a stream as bytes: any bytes between line feeds. A carriage return is part of its line.
 *
 * <p>A line is passed on as soon as its line feed has arrived, so that a slow producer's messages do not wait.
 */
public final class LineReader {

    private static final byte LINE_FEED = '\n';

    private final InputStream stream;
    private final long lengthMax;
    private byte[] buffer = new byte[1 << 16];
    private int start;
    private int end;
    private int searched;

    public LineReader(InputStream stream, long lengthMax) {
        this.stream = stream;
        this.lengthMax = lengthMax;
    }

    /** A receiver of lines. A line lies in {@code bytes} from {@code offset} on. */
    @FunctionalInterface
    public interface Sink {
        void accept(byte[] bytes, int offset, int length);
    }

    /** Passes the next line to the sink; returns false if there is none. A last line without a line feed counts. */
    public boolean next(Sink sink) throws IOException {
        int feed = find();
        while (feed < 0 && fill()) {
            feed = find();
        }
        if (feed >= 0) {
            sink.accept(buffer, start, feed - start);
            start = feed + 1;
            searched = start;
            return true;
        }
        boolean rest = end > start;
        if (rest) {
            sink.accept(buffer, start, end - start);
        }
        start = end;
        return rest;
    }

    private int find() {
        for (; searched < end; searched++) {
            if (buffer[searched] == LINE_FEED) {
                return searched;
            }
        }
        return -1;
    }

    private boolean fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            searched -= start;
            start = 0;
        }
        if (end > lengthMax) {
            throw new IOException("a line has more than " + lengthMax + " bytes, the most that a message may have");
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.toIntExact(Math.min(2L * end, Integer.MAX_VALUE - 8)));
        }
        int read = stream.read(buffer, end, buffer.length - end);
        end += Math.max(0, read);
        return read >= 0;
    }
}
