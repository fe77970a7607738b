package dev.larder.map.entry;

import dev.larder.map.index.Condition;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes whose value a user's function computes from the present one. The function runs without a lock, and runs again if
 * another change was faster.
 */
public final class Computations<K, V> {

    private final Reads<K, V> lookups;
    private final Changes<K, V> changes;
    private final SingleFlight<@Nullable V> loads;

    public Computations(Path directory, Reads<K, V> lookups, Changes<K, V> changes) {
        this.loads = new SingleFlight<>(directory);
        this.lookups = lookups;
        this.changes = changes;
    }

    /**
     * Runs a function on the present value, and puts its result. If the entry was changed or has expired meanwhile, runs it
     * again.
     */
    @Nullable
    public V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(remapping, "remapping");
        Reads.Former<V> former = lookups.former(key);
        V value = remapping.apply(key, former.value());
        return isPut(key, former, value) ? value : computeAgain(key, remapping);
    }

    private boolean isPut(K key, Reads.Former<V> former, @Nullable V value) {
        boolean nothing = value == null && former.value() == null;
        return nothing || changes.exchange(key, former, value);
    }

    /**
     * Computes again after another change of the entry, or its end. The change may be the function's own, which is refused from
     * now on.
     */
    private @Nullable V computeAgain(
            K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
        while (true) {
            Reads.Former<V> former = lookups.former(key);
            @Nullable V value = changes.<@Nullable V>computing(key, () -> remapping.apply(key, former.value()));
            if (isPut(key, former, value)) {
                return value;
            }
        }
    }

    /** Returns the value of a key. If there is none, puts a function's result, and returns the value that the key then has. */
    @Nullable
    public V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
        Objects.requireNonNull(mapping, "mapping");
        V present = lookups.get(key);
        return present != null ? present : putIfAbsent(key, mapping.apply(key));
    }

    private @Nullable V putIfAbsent(K key, @Nullable V value) {
        V before = value == null ? null : changes.put(key, value, Condition.ABSENT);
        return before == null ? value : before;
    }

    /**
     * Returns the value of a key. If there is none, one thread of this process loads and puts it; others wait for that thread.
     */
    @Nullable
    public V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader) {
        Objects.requireNonNull(loader, "loader");
        V present = lookups.get(key);
        return present != null ? present : loads.load(key, lookups.keyBytes(key), () -> loaded(key, loader));
    }

    /** Looks before it loads: another thread may have loaded the value since this one missed. A value put meanwhile stays. */
    private @Nullable V loaded(K key, Function<? super K, ? extends @Nullable V> loader) {
        V present = lookups.former(key).value();
        return present != null ? present : putIfAbsent(key, loader.apply(key));
    }
}
