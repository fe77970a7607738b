package dev.larder.lucene;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The free stretches of a range of addresses, in bytes from its start. Neighbours are merged into one stretch.
 *
 * <pre>
 * | taken | free | taken |  free                        |
 *         ^ found by its place (to merge) and by its size (to take the smallest that suffices)
 * </pre>
 */
final class Extents {

    /** A stretch. */
    record Extent(long offset, long bytes) {

        long end() {
            return offset + bytes;
        }
    }

    private final TreeMap<Long, Extent> byOffset = new TreeMap<>();
    private final TreeSet<Extent> bySize =
            new TreeSet<>(Comparator.comparingLong(Extent::bytes).thenComparingLong(Extent::offset));

    Extents(long offset, long bytes) {
        add(new Extent(offset, bytes));
    }

    /** Takes a stretch of the wanted size, else the longest one; null if that is shorter than the least. */
    synchronized @Nullable Extent take(long leastBytes, long wantedBytes) {
        Extent fitting = bySize.ceiling(new Extent(0, wantedBytes));
        Extent found = fitting == null ? longestOfAtLeast(leastBytes) : fitting;
        if (found == null) {
            return null;
        }
        remove(found);
        return cut(found, Math.min(found.bytes(), wantedBytes));
    }

    private @Nullable Extent longestOfAtLeast(long bytes) {
        return bySize.isEmpty() || bySize.last().bytes() < bytes ? null : bySize.last();
    }

    private Extent cut(Extent found, long bytes) {
        if (bytes < found.bytes()) {
            add(new Extent(found.offset() + bytes, found.bytes() - bytes));
        }
        return new Extent(found.offset(), bytes);
    }

    /** Gives a stretch, or a part of one, back. */
    synchronized void give(long offset, long bytes) {
        if (bytes == 0) {
            return;
        }
        Extent given = new Extent(offset, bytes);
        Extent before = value(byOffset.lowerEntry(offset));
        Extent after = value(byOffset.higherEntry(offset));
        assert before == null || before.end() <= offset : "given twice: " + given + ", free is " + before;
        assert after == null || given.end() <= after.offset() : "given twice: " + given + ", free is " + after;
        add(mergeAfter(mergeBefore(given, before), after));
    }

    private Extent mergeBefore(Extent given, @Nullable Extent before) {
        if (before == null || before.end() != given.offset()) {
            return given;
        }
        remove(before);
        return new Extent(before.offset(), before.bytes() + given.bytes());
    }

    private Extent mergeAfter(Extent given, @Nullable Extent after) {
        if (after == null || given.end() != after.offset()) {
            return given;
        }
        remove(after);
        return new Extent(given.offset(), given.bytes() + after.bytes());
    }

    /** Returns how many stretches are free. */
    synchronized int count() {
        return bySize.size();
    }

    private static @Nullable Extent value(Map.@Nullable Entry<Long, Extent> entry) {
        return entry == null ? null : entry.getValue();
    }

    private void add(Extent extent) {
        byOffset.put(extent.offset(), extent);
        bySize.add(extent);
    }

    private void remove(Extent extent) {
        byOffset.remove(extent.offset());
        bySize.remove(extent);
    }
}
