package dev.larder.map;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;

/** An iterator over a part of each entry: its key, or its value. */
final class EntryPart<K, V, P> implements Iterator<P> {

    private final EntryIterator<K, V> entries;
    private final Function<Map.Entry<K, V>, P> part;

    EntryPart(EntryIterator<K, V> entries, Function<Map.Entry<K, V>, P> part) {
        this.entries = entries;
        this.part = part;
    }

    @Override
    public boolean hasNext() {
        return entries.hasNext();
    }

    @Override
    public P next() {
        return part.apply(entries.next());
    }

    @Override
    public void remove() {
        entries.remove();
    }
}
