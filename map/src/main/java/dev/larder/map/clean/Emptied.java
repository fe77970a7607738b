package dev.larder.map.clean;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Segments that the cleaner of this process has emptied and not dropped. An opening may take the map back to a restore point at
 * which their records were alive.
 *
 * <pre>
 * segment n    all live records are carried to the end     the restore point reaches that end, or lies behind it
 *              that end: noted here                        n goes
 * </pre>
 *
 * <p>Changed by the thread that holds the cleaner's lock; read by any thread. All processes share the restore point. Another
 * process may have emptied the same segments, and may drop them. So a segment noted here counts only while the log has it.
 */
final class Emptied {

    private record Segment(int number, long end, long bytes) {}

    private final boolean keeps;
    private final MemorySegment shared;
    private final Deque<Segment> segments = new ConcurrentLinkedDeque<>();

    /** Creates an empty list; without a restore point, emptied segments go at once. */
    Emptied(MemorySegment shared, OptionalLong restorePoint) {
        this.shared = shared;
        this.keeps = restorePoint.isPresent();
        restorePoint.ifPresent(this::raise);
    }

    private void raise(long restorePoint) {
        Words.raise(shared, IndexFileLayout.RESTORE_POINT, restorePoint);
    }

    /** Records a later restore point. */
    void keepFrom(long restorePoint) {
        if (!keeps) {
            throw new IllegalStateException("the map was opened without a restore point");
        }
        raise(restorePoint);
    }

    /** Returns whether emptied segments stay for a while. */
    boolean keeps() {
        return keeps;
    }

    /** Returns the segment that is to be emptied next. */
    int next(int first) {
        @Nullable Segment last = segments.peekLast();
        return last == null ? first : Math.max(first, last.number() + 1);
    }

    /** Adds a segment that was emptied, with the end of the log at that time. */
    void add(int segment, long end, long fileBytes) {
        segments.add(new Segment(segment, end, fileBytes));
    }

    /** Returns the first emptied segment if it may go, or has gone; -1 otherwise. */
    int due(int firstOfLog) {
        @Nullable Segment first = segments.peekFirst();
        boolean goes = first != null
                && (first.number() < firstOfLog
                        || first.end() <= Words.getVolatile(shared, IndexFileLayout.RESTORE_POINT));
        return goes ? first.number() : -1;
    }

    /** Returns the end of the log when the first segment was emptied: the copies of its records lie before it. */
    long firstEnd() {
        return segments.getFirst().end();
    }

    /** Removes the first segment, which has gone. */
    void removeFirst() {
        segments.removeFirst();
    }

    /** Returns the file bytes of the emptied segments that the log still has. */
    long bytes(int firstOfLog) {
        long bytes = 0;
        for (Segment segment : segments) {
            bytes += segment.number() >= firstOfLog ? segment.bytes() : 0;
        }
        return bytes;
    }
}
