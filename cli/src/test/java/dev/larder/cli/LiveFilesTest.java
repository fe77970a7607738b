package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LiveFilesTest {

    private static final int LOOKS = 2000;

    @TempDir
    Path directory;

    private void file(String name, int bytes) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, new byte[bytes]);
    }

    @Test
    void givesTheSizesOfTheFilesDownToADepth() throws IOException {
        file("one", 10);
        file("below/two", 20);
        file("below/that/three", 30);
        assertThat(LiveFiles.bytes(directory)).isEqualTo(60);
        assertThat(LiveFiles.sizes(directory, 1)).containsOnlyKeys(directory.resolve("one"));
        assertThat(LiveFiles.sizes(directory, 2)).containsEntry(directory.resolve("below/two"), 20L);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void leavesOutWhatItMayNotRead() throws IOException {
        file("one", 10);
        file("secret/two", 20);
        Path secret = directory.resolve("secret");
        Files.setPosixFilePermissions(secret, Set.of());
        try {
            assumeThat(Files.isReadable(secret)).as("root reads all").isFalse();
            List<Path> refused = new ArrayList<>();
            assertThat(LiveFiles.readableSizes(directory, 2, refused)).containsOnlyKeys(directory.resolve("one"));
            assertThat(refused).containsExactly(secret);
            assertThatThrownBy(() -> LiveFiles.sizes(directory, 2)).isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> LiveFiles.readableSizes(secret, 2, refused))
                    .isInstanceOf(AccessDeniedException.class);
        } finally {
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void tellsThatThereIsNoDirectory() {
        assertThatThrownBy(() -> LiveFiles.bytes(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void looksWhileOthersMakeAndRemoveFiles() throws Exception {
        file("stays", 10);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Void> other = OtherThread.run(() -> comeAndGo(done, rounds));
        try {
            for (int look = 0; look < LOOKS || (rounds.get() == 0 && !other.isDone()); look++) {
                assertThat(LiveFiles.bytes(directory)).isBetween(10L, 13L);
            }
        } finally {
            done.set(true);
            other.join();
        }
    }

    private void comeAndGo(AtomicBoolean done, AtomicInteger rounds) {
        try {
            while (!done.get()) {
                for (String name : new String[] {"a", "b", "below/c"}) {
                    file(name, 1);
                }
                for (String name : new String[] {"a", "b", "below/c", "below"}) {
                    Files.delete(directory.resolve(name));
                }
                rounds.incrementAndGet();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
