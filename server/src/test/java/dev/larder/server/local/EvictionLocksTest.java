package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.MemoryFolder;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.server.store.ValueBuffer;
import dev.larder.tests.support.OtherThread;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Evictions beside commands that hold the slots of keys. */
@Timeout(120)
final class EvictionLocksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** So many that one look chooses several of them. */
    private static final int KEYS = 64;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final SlotLocks locks = new SlotLocks();
    private LocalStores stores;
    private Store store;

    @BeforeEach
    void open() {
        stores = LocalStores.open(directory, 1, StoreOptions.defaults().withSegmentBytes(4 << 20));
        store = stores.store(0);
        for (int i = 0; i < KEYS; i++) {
            store.put(key(i), text("x".repeat(1000)), store.nowMillis() + PATIENCE.toMillis() * 60);
        }
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private static Bytes text(String text) {
        return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Bytes key(int number) {
        return text("key" + number);
    }

    /** Regression: the transaction waited for the eviction, which waited for the transaction's slots. */
    @Test
    void aTransactionOfAllSlotsSetsALimitBesideAnEviction() {
        MemoryLimit limit = new MemoryLimit(stores, locks, () -> {});
        limit.set(1, EvictionPolicy.ALLKEYS_RANDOM);
        locks.lock(SlotLocks.all());
        try {
            CompletableFuture<Void> eviction = OtherThread.run(limit::tick);
            limit.set(2, EvictionPolicy.ALLKEYS_RANDOM);
            assertThat(eviction).succeedsWithin(PATIENCE);
            assertThat(store.size()).as("keys of commands that run").isEqualTo(KEYS);
        } finally {
            locks.unlock(SlotLocks.all());
        }
        limit.tick();
        assertThat(store.size()).isLessThan(KEYS);
    }

    /** Regression: a key that had lost its lifetime after it was chosen was evicted. */
    @Test
    void aKeyThatDoesNotExpireAnyMoreStays() {
        MemoryLimit limit = new MemoryLimit(stores, locks, this::persistAll);
        limit.set(1, EvictionPolicy.VOLATILE_RANDOM);
        limit.tick();
        assertThat(store.size()).isEqualTo(KEYS - 1);
    }

    private void persistAll() {
        ValueBuffer buffer = new ValueBuffer();
        for (int i = 0; i < KEYS; i++) {
            store.setDeadline(key(i), Store.ENDLESS, buffer);
        }
    }
}
