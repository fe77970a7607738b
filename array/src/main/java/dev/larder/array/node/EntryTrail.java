package dev.larder.array.node;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * When this member had applied which entries, and how many bytes they had: so a leader says how far others are behind. Looks far in
 * the past thin out. Thread-safe.
 */
final class EntryTrail {

    private static final int LOOKS_MOST = 512;

    private record Look(long bytes, long nanos) {}

    /**
     * How far a member is behind this one.
     *
     * @param bytes of the entries that it lacks, as far as this process has applied them
     * @param millis for how long it has lacked one
     */
    record Behind(long entries, long bytes, long millis) {}

    private final NavigableMap<Long, Look> looks = new TreeMap<>();

    /** Notes that entries are applied up to an index, and how many bytes this process has applied. */
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

    /** Returns how far a member is behind that has applied all up to an index. */
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
