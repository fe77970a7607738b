package dev.larder.map.clean;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Segments that the cleaner has emptied and not dropped: an opening may take the map back to a restore point, where their
 * records were alive.
 *
 * <pre>
 * segment n    all that is alive is carried to the end     the restore point comes to that end, or behind it
 *              its end then: noted here                    n goes
 * </pre>
 *
 * <p>Changed by who has the cleaner's turn; the point and the sum by any thread.
 */
final class Emptied {

    private record Segment(int number, long end, long bytes) {}

    private final boolean keeps;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private volatile long point;
    private final AtomicLong bytes = new AtomicLong();

    /** None yet; all that are emptied go at once where there is no restore point. */
    Emptied(OptionalLong restorePoint) {
        this.keeps = restorePoint.isPresent();
        this.point = restorePoint.orElse(0);
    }

    /** Takes note of a later restore point. */
    void keepFrom(long restorePoint) {
        if (!keeps) {
            throw new IllegalStateException("the map was opened without a restore point");
        }
        point = Math.max(point, restorePoint);
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
        bytes.addAndGet(fileBytes);
    }

    /** Returns the first of them if it may go; -1 otherwise. */
    int due() {
        @Nullable Segment first = segments.peekFirst();
        return first != null && first.end() <= point ? first.number() : -1;
    }

    /** Takes the first one out, which has gone. */
    void removeFirst() {
        bytes.addAndGet(-segments.removeFirst().bytes());
    }

    /** Returns how many bytes their files take. */
    long bytes() {
        return bytes.get();
    }
}
