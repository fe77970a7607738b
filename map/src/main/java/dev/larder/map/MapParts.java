package dev.larder.map;

import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import java.nio.file.Path;

/** What an open map consists of, whatever the types of its keys and values. */
record MapParts(
        Path directory,
        long seed,
        LogRecords records,
        Index index,
        EntryStore store,
        Room room,
        Epochs changes,
        Epochs reads,
        Deadlines deadlines) {

    /** Returns whether the segment of a position was dropped, so that what stood there may be gone. */
    boolean isDropped(long position) {
        return Position.segment(position) < index.places().first();
    }
}
