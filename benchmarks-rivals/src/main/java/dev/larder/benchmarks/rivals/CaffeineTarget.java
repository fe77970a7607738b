package dev.larder.benchmarks.rivals;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.lab.heap.HeapTarget;
import dev.larder.lab.heap.MapStore;
import dev.larder.lab.heap.ValueStore;
import java.io.IOException;

/** Caffeine under the load of {@code lab heap}: bounded, as a cache is, by exactly the number of values. */
public final class CaffeineTarget {

    private CaffeineTarget() {}

    /** Serves the lab. */
    public static void main(String[] arguments) throws IOException {
        HeapTarget.serve((keys, directory) -> store(keys));
    }

    static ValueStore store(long keys) {
        Cache<Long, byte[]> cache = Caffeine.newBuilder().maximumSize(keys).build();
        return new MapStore(cache.asMap());
    }
}
