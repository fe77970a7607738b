package dev.larder.map.entry;

import dev.larder.map.index.ExpectedLength;
import dev.larder.map.index.Lookup;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys, or entries, whose look-ups are under way together. Of one thread; made once, and used again and again.
 *
 * @param <T> what is looked for
 */
public final class KeyGroup<T> {

    /** More than the misses that a processor has under way at once; few enough for its first cache. */
    public static final int SIZE = 32;

    private final @Nullable Lookup[] probes = new Lookup[SIZE];
    private final @Nullable Object[] items = new Object[SIZE];
    private int count;

    /** How long the records are likely to be, where they are read; where they are looked at for their keys alone, it meets none. */
    final ExpectedLength lengths = new ExpectedLength();

    /** Whether the thread is using it: a codec or a handler may come back for another. */
    boolean busy;

    /** Where the loads go that only bring in a cache line, so that the compiler cannot leave them out. */
    long loaded;

    int count() {
        return count;
    }

    /** Takes items until it is full, or there are no more. */
    void take(Iterator<? extends T> source) {
        while (!isFull() && source.hasNext()) {
            items[count] = Objects.requireNonNull(source.next());
            add();
        }
    }

    boolean isFull() {
        return count == SIZE;
    }

    /** Adds a look-up of nothing in particular, to be laid out. */
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
