package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Arrivals;
import dev.larder.lab.load.Durations;
import dev.larder.lab.load.Pacer;
import dev.larder.queue.Appender;

/**
 * Appends each message at its moment, however late the queue was with the one before: a stall delays every message whose
 * moment fell into it.
 *
 * <p>Each append is timed from the message's moment to its return, and also the call alone. The sender's own lateness
 * is how much later it called than a sender that is never late itself, with calls of the same length. The lateness says
 * nothing about the queue, and must be small.
 */
final class Sender {

    private static final long SPIN_NANOS = 2 * Pacer.SPIN_NANOS;
    private static final long LEAD_NANOS = 20_000_000;

    /** The lag at which the sender gives up: the queue cannot sustain the rate. */
    private static final long BACKLOG_MAX_NANOS = 5_000_000_000L;

    /** A larger backlog at the end has grown; a smaller one is a stall just before it. */
    private static final long BACKLOG_NANOS = 500_000_000;

    private final Appender appender;
    private final StampedMessage message;
    private final Durations append = new Durations();
    private final Durations call = new Durations();
    private final Durations late = new Durations();
    private long sent;
    private long backlogNanos;

    Sender(Appender appender, StampedMessage message) {
        this.appender = appender;
        this.message = message;
    }

    /** Sends {@code warmUp} messages that do not count, {@code count} that do, and then the last one. */
    Figures send(Arrivals arrivals, long warmUp, long count) {
        boolean exact = Pacer.sharpenTimer();
        Pacer pacer = new Pacer(SPIN_NANOS);
        long start = System.nanoTime() + LEAD_NANOS;
        long free = send(pacer, arrivals, start, start, warmUp);
        ProcessorUse use = ProcessorUse.start();
        send(pacer, arrivals, start, free, count);
        Figures figures = figures(use, count).put("exact_timer", exact);
        appender.append(message.last(System.nanoTime(), sent));
        return figures;
    }

    /** Sends; returns when a sender that is never late would be free after the last of so many messages. */
    private long send(Pacer pacer, Arrivals arrivals, long start, long freeAt, long count) {
        append.clear();
        call.clear();
        late.clear();
        long free = freeAt;
        for (long done = 0; done < count && backlogNanos < BACKLOG_MAX_NANOS; done++) {
            long intended = start + arrivals.next();
            pacer.await(intended);
            long begin = System.nanoTime();
            appender.append(message.stamped(intended, sent++));
            long end = System.nanoTime();
            append.record(end - intended);
            call.record(end - begin);
            long due = Math.max(intended, free);
            late.record(begin - due);
            backlogNanos = end - intended;
            free = due + end - begin;
        }
        return free;
    }

    private Figures figures(ProcessorUse use, long count) {
        return new Figures()
                .put("messages", append.count())
                .put("sent", sent)
                .put("saturated", append.count() < count || backlogNanos > BACKLOG_NANOS)
                .put("writer_cores", use.cores())
                .put("sender_cores", use.threadCores())
                .put("late_sends", late.above(RowCheck.LATE_NANOS))
                .put("sender_late", late.borne())
                .put("append", append.borneWithCurve())
                .put("append_call", call.borneWithCurve());
    }
}
