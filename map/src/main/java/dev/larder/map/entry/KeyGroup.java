package dev.larder.map.entry;

import dev.larder.map.index.ExpectedLength;
import dev.larder.map.index.Lookup;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys or entries that are looked up together. Used by one thread; made once and reused.
 *
 * @param <T> the type of the items: keys or entries
 */
public final class KeyGroup<T> {

    /** More than the cache misses that a processor overlaps; few enough for its first-level cache. */
    public static final int SIZE = 32;

    private final @Nullable Lookup[] probes = new Lookup[SIZE];
    private final @Nullable Object[] items = new Object[SIZE];
    private int count;

    /**
     * The likely length of the records, learned from those that are read in full; lookups for the key alone add
     * nothing.
     */
    final ExpectedLength lengths = new ExpectedLength();

    /** Whether the thread is using the group; a codec or a handler may then call the map and need another one. */
    boolean busy;

    /** The sum of the loads that only fetch a cache line; storing it keeps the compiler from removing them. */
    long loaded;

    int count() {
        return count;
    }

    /** Takes items until the group is full, or the source has no more. */
    void take(Iterator<? extends T> source) {
        while (!isFull() && source.hasNext()) {
            items[count] = Objects.requireNonNull(source.next());
            add();
        }
    }

    boolean isFull() {
        return count == SIZE;
    }

    /** Adds a lookup that has no key yet. */
    public Lookup add() {
        Lookup probe = probes[count];
        if (probe == null) {
            probe = new Lookup(EntryStore.class);
            probes[count] = probe;
        }
        count++;
        return probe;
    }

    public void clear() {
        while (count > 0) {
            items[--count] = null;
        }
    }

    public Lookup probe(int number) {
        return Objects.requireNonNull(probes[number]);
    }

    @SuppressWarnings("unchecked")
    T item(int number) {
        return (T) Objects.requireNonNull(items[number]);
    }
}
