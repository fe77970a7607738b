package dev.larder.log.segment;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.CorruptException;
import dev.larder.memory.TruncatedException;
import java.util.Optional;

/**
 * Finds out whether a control file that names the end of a closed log is older than the log's segments. Then a page of it
 * never reached the disk, or was brought back. A log is marked as open, durably, before anything is appended, so no record
 * stands behind the end at which it was closed.
 */
public final class StaleEnd {

    private final Segments segments;
    private final IntegrityMode integrity;

    public StaleEnd(Segments segments, ControlFile control) {
        this.segments = segments;
        this.integrity = control.integrity();
    }

    /** Returns whether a sound record stands behind an end, in its segment or in the next one. */
    public boolean isBefore(long end) {
        int number = Position.segment(end);
        long at = Position.offset(end);
        return isSettled(number, at, false) || (isSettled(number, at, true) && isSettled(number + 1, 0, false));
    }

    /** Returns whether a sound word of a record, or of END, stands at an offset; 0 means the first record. */
    private boolean isSettled(int number, long offset, boolean end) {
        Optional<Segment> there = find(number);
        if (there.isEmpty()) {
            return false;
        }
        Segment segment = there.get();
        try {
            long at = Math.max(offset, segment.head);
            long word = at <= segment.limit - Segment.END_ROOM_BYTES ? segment.wordAcquire(at) : RecordWord.FREE;
            return RecordWord.isEnd(word) == end && segment.isSound(at, word, integrity);
        } finally {
            segments.release(segment);
        }
    }

    /** Returns a segment if it is there and undamaged. A damaged one proves nothing, and fails the process that opens it next. */
    private Optional<Segment> find(int number) {
        try {
            return segments.acquire(number);
        } catch (CorruptException | TruncatedException e) {
            return Optional.empty();
        }
    }
}
