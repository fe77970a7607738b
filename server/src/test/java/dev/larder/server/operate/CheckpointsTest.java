package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that write a checkpoint, and those that leave it out. */
final class CheckpointsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final FileTime OLD = FileTime.fromMillis(1_000_000);

    @TempDir
    private Path directory;

    private LarderServer server;
    private TestClient client;

    /** Starts a server that has a checkpoint, and a change that is not in it. */
    @BeforeEach
    void start() throws IOException {
        server = LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("io-threads", "1")
                .with("segment-size", "4mb"));
        client = new TestClient(server.port());
        client.line("SET a 1");
        client.line("XADD s 1-1 f v");
        assertThat(client.line("SAVE")).isEqualTo("OK");
        for (Path checkpoint : checkpoints()) {
            Files.setLastModifiedTime(checkpoint, OLD);
        }
        client.line("SET a 2");
        client.line("XADD t 1-1 f v");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private List<Path> checkpoints() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith("map.checkpoint")).toList();
        }
    }

    /** Returns whether one of the maps has a new checkpoint. */
    private boolean isNew() {
        try {
            List<Path> all = checkpoints();
            assertThat(all).isNotEmpty();
            for (Path checkpoint : all) {
                if (!Files.getLastModifiedTime(checkpoint).equals(OLD)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void shutDown(String... command) throws InterruptedException {
        client.send(command);
        assertThat(client.reply()).isEqualTo("closed");
        server.awaitStop();
        server.close();
    }

    @Test
    void saveWritesOne() {
        assertThat(isNew()).isFalse();
        assertThat(client.line("SAVE")).isEqualTo("OK");
        assertThat(isNew()).isTrue();
    }

    @Test
    void saveInTheBackgroundWritesOne() {
        assertThat(client.line("BGSAVE")).isEqualTo("Background saving started");
        await().atMost(PATIENCE).until(this::isNew);
    }

    @Test
    void shutdownWritesOne() throws InterruptedException {
        shutDown("SHUTDOWN");
        assertThat(isNew()).isTrue();
    }

    @Test
    void shutdownWithoutASaveLeavesItOut() throws InterruptedException {
        shutDown("SHUTDOWN", "NOSAVE");
        assertThat(isNew()).isFalse();
    }
}
