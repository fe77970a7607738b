package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.KeyEvent;
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

    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();

    private final ChangeListener failing = new ChangeListener() {
        @Override
        public void onEvent(Store store, Bytes key, KeyEvent event) {
            if (event == KeyEvent.EXPIRED && store.index() == 0) {
                failed.incrementAndGet();
                throw new IllegalStateException("on purpose");
            }
            if (event == KeyEvent.EXPIRED) {
                removed.incrementAndGet();
            }
        }

        @Override
        public void onClear(Store store) {}
    };

    /** Regression: the databases behind one that fails kept their expired keys. */
    @Test
    void aDatabaseThatFailsKeepsNoOtherFromItsTurn() {
        StoreOptions options = StoreOptions.defaults().withSegmentBytes(4 << 20);
        try (LocalStores stores = LocalStores.open(directory, 2, options)) {
            stores.waiters(failing);
            put(stores.store(0), 200); // some are expired whenever it is looked at
            put(stores.store(1), 1);
            try (ActiveExpiry expiry = new ActiveExpiry(stores, new SlotLocks(), () -> {}, () -> {})) {
                await().atMost(Duration.ofSeconds(20)).until(() -> removed.get() == 1);
                assertThat(failed).hasPositiveValue();
                assertThat(expiry).isNotNull();
            }
        }
    }

    private static void put(Store store, int count) {
        long now = store.nowMillis();
        for (int i = 0; i < count; i++) {
            store.put(Bytes.of("k" + i), KEY, now + 200 + i * 100L);
        }
    }
}
