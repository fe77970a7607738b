package dev.larder.array.node;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Records when this member had applied which entries, and how many bytes they had. From this a leader computes how far other
 * members are behind. Old records thin out. Thread-safe.
 */
final class EntryTrail {

    private static final int LOOKS_MOST = 512;

    private record Look(long bytes, long nanos) {}

    /**
     * The lag of a member behind this one.
     *
     * @param bytes the bytes of the missing entries, as far as this process has applied them
     * @param millis how long the member has lacked an entry
     */
    record Behind(long entries, long bytes, long millis) {}

    private final NavigableMap<Long, Look> looks = new TreeMap<>();

    /** Records the index up to which entries are applied, and the bytes that this process has applied. */
    synchronized void note(long index, long bytes, long nanos) {
        if (!looks.isEmpty() && index <= looks.lastKey()) {
            return;
        }
        looks.put(index, new Look(bytes, nanos));
        if (looks.size() > LOOKS_MOST) {
            boolean[] goes = {true};
            looks.keySet().removeIf(old -> (goes[0] ^= true) && old != index);
        }
    }

    /** Returns the lag of a member that has applied all entries up to an index. */
    synchronized Behind behind(long applied, long nanos) {
        Map.Entry<Long, Look> first = looks.higherEntry(applied);
        if (first == null) {
            return new Behind(0, 0, 0);
        }
        Map.Entry<Long, Look> from = looks.floorEntry(applied);
        Map.Entry<Long, Look> last = looks.lastEntry();
        long bytes = last.getValue().bytes - (from == null ? looks.firstEntry() : from).getValue().bytes;
        return new Behind(
                last.getKey() - applied, bytes, TimeUnit.NANOSECONDS.toMillis(nanos - first.getValue().nanos));
    }
}
