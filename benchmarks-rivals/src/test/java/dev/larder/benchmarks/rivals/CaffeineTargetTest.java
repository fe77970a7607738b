package dev.larder.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.heap.Value;
import dev.larder.lab.heap.ValueStore;
import org.junit.jupiter.api.Test;

class CaffeineTargetTest {

    private static final long KEYS = 5_000;

    /** A cache of as many values as there are keys loses none, however often they are replaced. */
    @Test
    void keepsEveryValue() {
        ValueStore store = CaffeineTarget.store(KEYS);
        byte[] bytes = new byte[Value.BYTES];
        assertThat(store.get(0, bytes)).isFalse();
        for (long put = 0; put < 4 * KEYS; put++) {
            Value.write(bytes, put % KEYS, put);
            store.put(put % KEYS, bytes);
        }
        for (long key = 0; key < KEYS; key++) {
            assertThat(store.get(key, bytes)).as("key " + key).isTrue();
            assertThat(Value.isWhole(bytes, key)).isTrue();
        }
    }
}
