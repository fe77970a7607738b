package dev.larder.map.checkpoint;

import dev.larder.log.Log;
import dev.larder.map.entry.MapParts;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Lookup;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The damaged pages of an image. They are empty in the index, and are made again from the log. As in a replay, the last record
 * of each of their keys before the image is linked.
 */
final class DamagedPages {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final Log log;
    private final MapParts parts;
    private final Set<Long> places = new HashSet<>();
    private final Lookup probe = new Lookup();

    /** Bit n is set if there is a page of depth n among them. */
    private int depths;

    DamagedPages(Log log, MapParts parts) {
        this.log = log;
        this.parts = parts;
    }

    /** Adds a page, which is already in the index, empty. */
    synchronized void add(long place, String name) {
        places.add(place);
        depths |= 1 << IndexPageLayout.depth(place);
        LOGGER.log(
                System.Logger.Level.WARNING,
                name + " fails its check; the opening makes this page again from the whole log");
    }

    synchronized boolean areNone() {
        return places.isEmpty();
    }

    /** Reads the log once, up to a position, for the keys of all of these pages. */
    void makeAgain(long end) {
        if (!areNone()) {
            Replay replay = new Replay(parts.store(), parts.seed());
            Replay.read(log, OptionalLong.empty(), end, (position, record, at, length) -> {
                if (isOfThem(record, at)) {
                    link(replay, position, record, at, length);
                }
            });
        }
    }

    private synchronized boolean isOfThem(MemorySegment record, long at) {
        probe.take(record, at, parts.seed());
        boolean found = false;
        for (int left = depths; left != 0 && !found; left &= left - 1) {
            int depth = Integer.numberOfTrailingZeros(left);
            found = places.contains(IndexPageLayout.place(probe.partition, depth, Placement.entry(probe.hash, depth)));
        }
        return found;
    }

    private void link(Replay replay, long position, MemorySegment record, long at, int length) {
        int line = parts.changes().pinAnyway();
        try {
            replay.link(position, record, at, length);
        } finally {
            parts.changes().unpin(line);
        }
    }
}
