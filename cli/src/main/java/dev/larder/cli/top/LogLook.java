package dev.larder.cli.top;

import dev.larder.log.LogCounter;
import dev.larder.map.StoredMapInfo;
import dev.larder.queue.QueueInfo;
import dev.larder.queue.TailerInfo;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * The state of a log at one moment, as seen from outside.
 *
 * @param nanoTime the moment
 * @param counters the work of its processes since it was created
 * @param segments its segments, the oldest first
 * @param tailers its named tailers
 * @param nodes how much of it is in memory on which node; empty on a machine of one node, or if unknown
 * @param map the state of the log's map as of its last checkpoint; empty if the log is not a map's
 * @param registered how many processes have it open; empty if unknown
 */
record LogLook(
        Path directory,
        long nanoTime,
        QueueInfo info,
        Map<LogCounter, Long> counters,
        List<Segment> segments,
        List<TailerInfo> tailers,
        SortedMap<Integer, Long> nodes,
        Optional<StoredMapInfo> map,
        OptionalLong registered) {

    /**
     * A segment.
     *
     * @param resident how many of its bytes are in memory; empty if unknown
     */
    record Segment(int number, long bytes, OptionalLong resident) {}

    /** Returns how much of the log is in memory. */
    OptionalLong resident() {
        boolean known = segments.stream().allMatch(segment -> segment.resident().isPresent());
        return known
                ? OptionalLong.of(segments.stream()
                        .mapToLong(segment -> segment.resident().orElse(0))
                        .sum())
                : OptionalLong.empty();
    }

    /** Returns the named tailer with the largest lag in bytes; empty if there is none. */
    Optional<TailerInfo> slowest() {
        return tailers.stream().max(Comparator.comparingLong(TailerInfo::lagBytes));
    }

    /** Returns how many bytes of segments lie between the durable position and the end. */
    long unsyncedBytes() {
        long durable = info.durablePosition();
        long end = info.endPosition();
        long unsynced = (end & 0xffff_ffffL) - (durable & 0xffff_ffffL);
        for (Segment segment : segments) {
            boolean between = segment.number() >= (durable >>> 32) && segment.number() < (end >>> 32);
            unsynced += between ? segment.bytes() : 0;
        }
        return Math.max(0, unsynced);
    }

    /** Returns by how much a counter grew per second since an earlier look. */
    double rate(LogCounter counter, LogLook before) {
        double seconds = (nanoTime - before.nanoTime) / 1e9;
        long more = counters.getOrDefault(counter, 0L) - before.counters.getOrDefault(counter, 0L);
        return seconds <= 0 ? 0 : more / seconds;
    }
}
