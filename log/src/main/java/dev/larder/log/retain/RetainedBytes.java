package dev.larder.log.retain;

import dev.larder.log.segment.Segments;
import java.util.ArrayDeque;
import java.util.Deque;

/** The number of bytes that the segments from the first to the tail take. Reads the size of each file once. */
public final class RetainedBytes {

    private record Size(int number, long bytes) {}

    private final Segments segments;
    private final Deque<Size> sizes = new ArrayDeque<>();
    private long total;

    public RetainedBytes(Segments segments) {
        this.segments = segments;
    }

    public synchronized long upTo(int first, int tail) {
        while (!sizes.isEmpty() && sizes.getFirst().number < first) {
            total -= sizes.removeFirst().bytes;
        }
        for (int number = sizes.isEmpty() ? first : sizes.getLast().number + 1; number <= tail; number++) {
            Size size = new Size(number, segments.files().sizeBytes(number));
            sizes.addLast(size);
            total += size.bytes;
        }
        return total;
    }

    /** Returns how many bytes the segments take from one number to another, neither of which lies before the first. */
    public synchronized long within(int from, int to, int first) {
        upTo(first, to);
        return sizes.stream()
                .filter(size -> size.number >= from && size.number <= to)
                .mapToLong(Size::bytes)
                .sum();
    }
}
