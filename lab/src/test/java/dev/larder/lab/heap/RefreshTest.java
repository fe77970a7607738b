package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

final class RefreshTest {

    private static final long KEYS = 50;

    /** Counts the puts, and refuses those with one key. */
    private record Counting(Set<Long> keys, long refused) implements ValueStore {

        @Override
        public void put(long key, byte[] bytes) {
            if (key == refused) {
                throw new IllegalStateException("full");
            }
            assertThat(Value.isWhole(bytes, key)).isTrue();
            keys.add(key);
        }

        @Override
        public boolean get(long key, byte[] into) {
            return false;
        }
    }

    @Test
    void replacesTheValuesOfAllKeysOverAndOver() {
        Set<Long> keys = ConcurrentHashMap.newKeySet();
        try (Refresh refresh = new Refresh(new Counting(keys, -1), KEYS, 10_000)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> refresh.done() > 3 * KEYS);
        }
        assertThat(keys).hasSize((int) KEYS);
    }

    @Test
    void tellsThatItHasFailed() {
        Set<Long> keys = ConcurrentHashMap.newKeySet();
        try (Refresh refresh = new Refresh(new Counting(keys, 7), KEYS, 10_000)) {
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThatThrownBy(refresh::done).hasMessageContaining("full"));
        }
    }
}
