package dev.larder.server.stream;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of what searches in a stream have found. It holds ids of entries at round sequences, which each search needs
 * first, and the places where readers stopped and will continue. An id keeps its sequence until ids are set.
 */
final class KnownPlaces {

    private static final int IDS_MAX = 4096;
    private static final int READERS_MAX = 64;
    private static final int FIRST_SHIFT = 6;

    private final Map<Long, StreamId> ids = new HashMap<>();
    private final Map<StreamId, Long> readers = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StreamId, Long> eldest) {
            return size() > READERS_MAX;
        }
    };

    /** Sequences that are multiples of this power of two are kept. */
    private int shift = FIRST_SHIFT;

    /** Returns the roundest sequence from one up to another, exclusive: the one with the most trailing zero bits. */
    static long roundest(long low, long high) {
        long last = high - 1;
        long different = Long.highestOneBit(low ^ last);
        return different == 0 ? low : last & -different;
    }

    @Nullable
    StreamId id(long sequence) {
        return ids.get(sequence);
    }

    void remember(long sequence, StreamId id) {
        if (Long.numberOfTrailingZeros(sequence) >= shift) {
            ids.put(sequence, id);
            if (ids.size() > IDS_MAX) {
                shift++;
                ids.keySet().removeIf(known -> Long.numberOfTrailingZeros(known) < shift);
            }
        }
    }

    /** Returns the sequence behind an entry at which a reader has stopped; null if that is not known. */
    @Nullable
    Long behind(StreamId id) {
        return readers.get(id);
    }

    void stopped(StreamId id, long sequence) {
        readers.put(id, sequence + 1);
    }

    void clear() {
        ids.clear();
        readers.clear();
        shift = FIRST_SHIFT;
    }
}
