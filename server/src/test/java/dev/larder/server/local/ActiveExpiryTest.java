package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The removal of expired keys that no command requests. */
@Timeout(60)
final class ActiveExpiryTest {

    private static final Bytes KEY = Bytes.of("k");

    @TempDir
    private Path directory;

    /** Whether no database was looked at in this round. Used by the thread of the rounds. */
    private boolean first;

    private final AtomicInteger failed = new AtomicInteger();

    private boolean failFirst() {
        if (first) {
            first = false;
            failed.incrementAndGet();
            throw new IllegalStateException("on purpose");
        }
        return false;
    }

    /** Regression: the databases behind one that fails kept their expired keys. */
    @Test
    void aDatabaseThatFailsKeepsNoOtherFromItsTurn() {
        StoreOptions options = StoreOptions.defaults().withSegmentBytes(4 << 20);
        try (LocalStores stores = LocalStores.open(directory, 2, options)) {
            stores.store(0);
            Store second = stores.store(1);
            second.put(KEY, KEY, second.nowMillis() + 200);
            try (ActiveExpiry expiry = new ActiveExpiry(stores, new SlotLocks(), () -> first = true, () -> {})) {
                expiry.setStanding(this::failFirst);
                await().atMost(Duration.ofSeconds(20)).until(() -> second.expired() == 1);
                assertThat(failed).hasPositiveValue();
            }
        }
    }
}
