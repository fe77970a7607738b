package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Durations;
import dev.larder.queue.MessageHandler;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A tailer's measurements of arriving messages: how long each took, and whether it came in order. */
final class Arrived implements MessageHandler {

    private final long warmUp;
    private final Durations onTheWay = new Durations();
    private long received;
    private long outOfOrder;
    private long early;
    private long expected = -1;
    private @Nullable ProcessorUse use;

    /** Ignores the times of the first so many messages. */
    Arrived(long warmUp) {
        this.warmUp = warmUp;
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        long now = System.nanoTime();
        long number = StampedMessage.number(segment, offset);
        if (StampedMessage.isLast(number)) {
            expected = StampedMessage.count(number);
        } else {
            arrived(number, now - StampedMessage.intendedNanos(segment, offset));
        }
    }

    private void arrived(long number, long nanos) {
        if (number != received++) {
            outOfOrder++;
        }
        if (nanos < 0) {
            early++;
        }
        if (number >= warmUp) {
            measure(nanos);
        }
    }

    private void measure(long nanos) {
        if (use == null) {
            use = ProcessorUse.start();
        }
        onTheWay.record(nanos);
    }

    boolean isComplete() {
        return expected >= 0;
    }

    long received() {
        return received;
    }

    /** Returns the arrivals; {@code lost} is known only after the last message. */
    Figures figures() {
        return new Figures()
                .put("received", received)
                .put("lost", expected < 0 ? null : Long.valueOf(expected - received))
                .put("out_of_order", outOfOrder)
                .put("before_their_time", early)
                .put("tailer_cores", use == null ? Double.NaN : use.cores())
                .put("to_tailer", onTheWay.borneWithCurve());
    }
}
