package dev.larder.map.entry;

import dev.larder.map.index.Condition;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes to what a function of the user's makes of what is there: it runs without a lock, and again when another was
 * faster.
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

    /** Runs a function on what is there, and puts what it returns unless something was changed meanwhile; then again. */
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
        return nothing || changes.exchange(key, former.state(), value);
    }

    /** Something has changed the entry meanwhile. It may be the function itself, which is refused from now on. */
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

    /** Returns the value, or what a function returns and is put then, unless another value was meanwhile. */
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

    /** Returns the value, or what a loader returns and is put then; one thread of this process loads, others wait for it. */
    @Nullable
    public V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader) {
        Objects.requireNonNull(loader, "loader");
        V present = lookups.get(key);
        return present != null ? present : loads.load(key, lookups.keyBytes(key), () -> loaded(key, loader));
    }

    /** Who loads looks first: another may have loaded since this one missed. What was put meanwhile stays. */
    private @Nullable V loaded(K key, Function<? super K, ? extends @Nullable V> loader) {
        V present = lookups.former(key).value();
        return present != null ? present : putIfAbsent(key, loader.apply(key));
    }
}
