package dev.larder.cli.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

    /** Returns a stream that gives at most a number of bytes at a time, as a pipe does. */
    private static InputStream inPieces(String text, int piece) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(piece, length));
            }
        };
    }

    private static List<String> lines(InputStream stream, long lengthMax) throws IOException {
        List<String> lines = new ArrayList<>();
        LineReader reader = new LineReader(stream, lengthMax);
        while (reader.next(
                (bytes, offset, length) -> lines.add(new String(bytes, offset, length, StandardCharsets.UTF_8)))) {
            // until the end
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1000})
    void linesAreTheSameHoweverTheyArrive(int piece) throws IOException {
        assertThat(lines(inPieces("a\n\nbc\r\nlast", piece), 100)).containsExactly("a", "", "bc\r", "last");
        assertThat(lines(inPieces("a\n", piece), 100)).containsExactly("a");
        assertThat(lines(inPieces("", piece), 100)).isEmpty();
    }

    @Test
    void linesMayBeLongerThanTheFirstBuffer() throws IOException {
        String line = "x".repeat(300_000);
        assertThat(lines(inPieces(line + "\ny", 50_000), 1 << 20)).containsExactly(line, "y");
    }

    @Test
    void refusesALineThatNoMessageCanHold() {
        assertThatThrownBy(() -> lines(inPieces("x".repeat(100_000), 1000), 70_000))
                .hasMessageContaining("70000");
    }
}
