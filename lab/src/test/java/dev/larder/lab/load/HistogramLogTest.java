package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log of a load, on a disk that may be full. */
class HistogramLogTest {

    private static final class Target extends ByteArrayOutputStream {

        private boolean isClosed;

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void writesALineForEachSecond() throws IOException {
        Target target = new Target();
        try (HistogramLog log = new HistogramLog(target, List.of("get"))) {
            log.add(0, 1_000, 0);
            log.add(1_500_000_000L, 1_000, 0);
        }
        assertThat(target.isClosed).isTrue();
        assertThat(target.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("Tag=get")))
                .hasSize(2);
    }

    @Test
    void tellsThatItCouldNotBeWritten() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        assertThatThrownBy(() -> {
                    try (HistogramLog log = new HistogramLog(full, List.of("get"))) {
                        log.add(0, 1_000, 0);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
    }
}
