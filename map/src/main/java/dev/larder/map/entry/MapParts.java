package dev.larder.map.entry;

import dev.larder.log.Position;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Index;
import dev.larder.map.shared.Epochs;
import dev.larder.memory.CorruptException;
import java.nio.file.Path;

/** The parts of an open map that do not depend on the types of its keys and values. */
public record MapParts(
        Path directory,
        long seed,
        LogRecords records,
        Index index,
        EntryStore store,
        Room room,
        Epochs changes,
        Epochs reads,
        Deadlines deadlines) {

    /**
     * Returns the length of the payload of a record, after a check that key and value lie within it.
     *
     * @throws CorruptException when there is no record, or it is not an entry
     */
    int entryLength(long position) {
        int length = records.length(position);
        if (!EntryLayout.isEntry(records.bytes(position), LogRecords.payload(position), length)) {
            throw records.damaged(position, "of " + length + " bytes, is not an entry of a map");
        }
        return length;
    }

    /** Returns whether the segment of a position was dropped, so that its records may be gone. */
    boolean isDropped(long position) {
        return Position.segment(position) < index.places().first();
    }
}
