package dev.larder.map.clean;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Segments that the cleaner of this process has emptied and not dropped: an opening may take the map back to a restore point,
 * where their records were alive.
 *
 * <pre>
 * segment n    all that is alive is carried to the end     the restore point comes to that end, or behind it
 *              its end then: noted here                    n goes
 * </pre>
 *
 * <p>Changed by who has the cleaner's turn; read by any thread. The point is that of all processes. Another process may have
 * emptied the same segments, and may drop them: so what is noted here counts only while the log has it.
 */
final class Emptied {

    private record Segment(int number, long end, long bytes) {}

    private final boolean keeps;
    private final MemorySegment shared;
    private final Deque<Segment> segments = new ConcurrentLinkedDeque<>();

    /** None yet; all that are emptied go at once where there is no restore point. */
    Emptied(MemorySegment shared, OptionalLong restorePoint) {
        this.shared = shared;
        this.keeps = restorePoint.isPresent();
        restorePoint.ifPresent(this::raise);
    }

    private void raise(long restorePoint) {
        Words.raise(shared, IndexFileLayout.RESTORE_POINT, restorePoint);
    }

    /** Takes note of a later restore point. */
    void keepFrom(long restorePoint) {
        if (!keeps) {
            throw new IllegalStateException("the map was opened without a restore point");
        }
        raise(restorePoint);
    }

    /** Returns whether what is emptied stays for a while. */
    boolean keeps() {
        return keeps;
    }

    /** Returns the segment that is to be emptied next. */
    int next(int first) {
        @Nullable Segment last = segments.peekLast();
        return last == null ? first : Math.max(first, last.number() + 1);
    }

    /** Notes a segment that was emptied when the log had an end. */
    void add(int segment, long end, long fileBytes) {
        segments.add(new Segment(segment, end, fileBytes));
    }

    /** Returns the first of them if it may go, or has gone; -1 otherwise. */
    int due(int firstOfLog) {
        @Nullable Segment first = segments.peekFirst();
        boolean goes = first != null
                && (first.number() < firstOfLog
                        || first.end() <= Words.getVolatile(shared, IndexFileLayout.RESTORE_POINT));
        return goes ? first.number() : -1;
    }

    /** Takes the first one out, which has gone. */
    void removeFirst() {
        segments.removeFirst();
    }

    /** Returns how many bytes the files take of those that the log still has. */
    long bytes(int firstOfLog) {
        long bytes = 0;
        for (Segment segment : segments) {
            bytes += segment.number() >= firstOfLog ? segment.bytes() : 0;
        }
        return bytes;
    }
}
