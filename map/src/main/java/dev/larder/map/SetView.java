package dev.larder.map;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import org.jspecify.annotations.Nullable;

/** The keys or the entries of a map, as a set. It compares them by their bytes. */
abstract class SetView<K, V, E> extends AbstractSet<E> {

    final LarderMap<K, V> map;

    SetView(LarderMap<K, V> map) {
        this.map = map;
    }

    @Override
    public final Spliterator<E> spliterator() {
        int traits = Spliterator.CONCURRENT | Spliterator.DISTINCT | Spliterator.NONNULL;
        return Spliterators.spliteratorUnknownSize(iterator(), traits);
    }

    @Override
    public final int size() {
        return map.size();
    }

    @Override
    public final boolean isEmpty() {
        return map.isEmpty();
    }

    /** Returns whether another set has the same elements. It counts them, as {@link #size} also counts expired entries. */
    @Override
    public final boolean equals(@Nullable Object object) {
        if (object == this) {
            return true;
        }
        try {
            return object instanceof Set<?> other && containsAll(other) && hasAsMany(other);
        } catch (ClassCastException | NullPointerException e) { // an element of another type
            return false;
        }
    }

    private boolean hasAsMany(Set<?> other) {
        long wanted = other instanceof SetView<?, ?, ?> view ? view.count(Long.MAX_VALUE) : other.size();
        return count(wanted) == wanted;
    }

    /** Returns the number of elements, without expired ones; a larger one than {@code most} if there are more. */
    final long count(long most) {
        long count = 0;
        for (Iterator<E> elements = iterator(); count <= most && elements.hasNext(); elements.next()) {
            count++;
        }
        return count;
    }

    @Override
    public final int hashCode() {
        return super.hashCode();
    }

    /** Removes each given element by itself: what the given collection takes for equal does not count. */
    @Override
    public boolean removeAll(Collection<?> given) {
        boolean any = false;
        for (Object element : given) {
            any |= element != null && remove(element);
        }
        return any;
    }

    @Override
    public final void clear() {
        map.clear();
    }
}
