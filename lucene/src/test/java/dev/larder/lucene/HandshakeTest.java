package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers that are opened anew every second stop no thread: the JVM's own log shows each arena that is closed. */
class HandshakeTest {

    private static final List<String> LOG = List.of("-Xlog:handshake*=info:stdout");
    private static final String CLOSING = "CloseScopedMemory";

    @TempDir
    Path folder;

    @Test
    void shouldCloseNoArenaWhileReadersAreReopened() throws Exception {
        assertThat(closings("larder")).isZero();
    }

    @Test
    void shouldBeToldByMMapDirectory() throws Exception {
        assertThat(closings("mmap")).as("the log shows them").isPositive();
    }

    private long closings(String directory) throws Exception {
        String all = ChildJvm.run(LOG, HandshakeChild.class, directory, folder.resolve(directory));
        int start = all.indexOf("reopening");
        int end = all.indexOf("reopened");
        assertThat(start).isBetween(0, end);
        return all.substring(start, end)
                .lines()
                .filter(line -> line.contains(CLOSING))
                .count();
    }
}
