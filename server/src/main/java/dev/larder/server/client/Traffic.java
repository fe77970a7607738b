package dev.larder.server.client;

import java.util.concurrent.atomic.LongAdder;

/** The bytes that clients have sent, and that were sent to them. Thread-safe. */
public final class Traffic {

    private final LongAdder input = new LongAdder();
    private final LongAdder output = new LongAdder();

    public Traffic() {}

    /** Adds bytes that were read. */
    public void read(long bytes) {
        input.add(bytes);
    }

    /** Adds bytes that were written. */
    public void written(long bytes) {
        output.add(bytes);
    }

    /** Returns how many bytes were read. */
    public long inputBytes() {
        return input.sum();
    }

    /** Returns how many bytes were written. */
    public long outputBytes() {
        return output.sum();
    }

    public void resetCounts() {
        input.reset();
        output.reset();
    }
}
