package dev.larder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Answer;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.server.LarderServer;
import dev.larder.server.ServerOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code larder backup} and {@code larder restore}, beside a running server. */
final class BackupCommandTest {

    private static final long SEGMENT_BYTES = 4 << 20;

    @TempDir
    private Path directory;

    private static LarderServer start(Path data) {
        return LarderServer.start(ServerOptions.of(data).withPort(0).withSegmentBytes(SEGMENT_BYTES));
    }

    private static String call(LarderServer server, String... command) throws IOException {
        try (ServerClient client = new ServerClient(server.port())) {
            return client.call(command);
        }
    }

    private int backUp(LarderServer server, Path to) {
        return larder("backup", to.toString(), "--port", Integer.toString(server.port()));
    }

    private static int larder(String... words) {
        Answer out = new Answer(new ByteArrayOutputStream());
        return Larder.execute(new Streams(InputStream.nullInputStream(), out, System.err, false), words);
    }

    @Test
    void whatWasBackedUpIsServedAgain() throws IOException {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (LarderServer server = start(directory.resolve("data"))) {
            call(server, "SET", "fruit", "apple");
            assertThat(backUp(server, backup)).isZero();
            call(server, "SET", "fruit", "pear");
            assertThat(backUp(server, backup)).isPositive(); // it is there already
        }
        assertThat(larder("restore", backup.toString(), restored.toString())).isZero();
        try (LarderServer server = start(restored)) {
            assertThat(call(server, "GET", "fruit")).isEqualTo("apple");
        }
    }

    @Test
    void aDamagedBackupIsRefused() throws IOException {
        Path backup = directory.resolve("backup");
        try (LarderServer server = start(directory.resolve("data"))) {
            assertThat(backUp(server, backup)).isZero();
        }
        List<Path> segments;
        try (Stream<Path> files = Files.walk(backup)) {
            segments = files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
        Files.delete(segments.getFirst());
        Path restored = directory.resolve("restored");
        assertThat(larder("restore", backup.toString(), restored.toString())).isPositive();
        assertThat(restored).doesNotExist();
    }
}
