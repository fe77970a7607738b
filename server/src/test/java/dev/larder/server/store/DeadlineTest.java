package dev.larder.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.MemoryFolder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a key expires that another thread changes. */
@Timeout(60)
final class DeadlineTest {

    private static final long LIFETIME_MILLIS = 100_000;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    /** Regression: the key came between two lookups of it, so it seemed to live forever. */
    @Test
    void aKeyThatAlwaysHasALifetimeIsNeverEndless() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicLong changes = new AtomicLong();
        try (Store store = Store.open(0, directory, StoreOptions.defaults().withSegmentBytes(4 << 20))) {
            Bytes key = Bytes.of("k");
            Thread changing = new Thread(() -> {
                while (!stopped.get()) {
                    store.put(key, Bytes.of("v"), store.nowMillis() + LIFETIME_MILLIS);
                    store.remove(key);
                    changes.incrementAndGet();
                }
            });
            changing.start();
            long endless = 0;
            long until = System.nanoTime() + NANOS;
            while (System.nanoTime() - until < 0) {
                endless += store.deadline(key) == Store.ENDLESS ? 1 : 0;
            }
            stopped.set(true);
            changing.join();
            assertThat(changes.get()).isPositive();
            assertThat(endless).isZero();
        }
    }
}
