package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class CachedPagesTest {

    private static final int LOOKS = 2000;

    @TempDir
    Path directory;

    @Test
    void looksWhileOthersMakeAndRemoveFiles() throws Exception {
        Files.write(directory.resolve("stays"), new byte[10]);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Void> other = OtherThread.run(() -> comeAndGo(done, rounds));
        try {
            CachedPages cached = new CachedPages(directory);
            for (int look = 0; look < LOOKS || (rounds.get() == 0 && !other.isDone()); look++) {
                assertThat(cached.bytes()).isNotNegative();
            }
        } finally {
            done.set(true);
            other.join();
        }
    }

    private void comeAndGo(AtomicBoolean done, AtomicInteger rounds) {
        Path file = directory.resolve("goes");
        try {
            while (!done.get()) {
                Files.write(file, new byte[1]);
                Files.delete(file);
                rounds.incrementAndGet();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
