package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.codec.schema.Schemas;
import dev.larder.codec.schema.TypedMessages;
import dev.larder.log.InterruptedWaitException;
import dev.larder.queue.connection.MessageSink;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Sends the messages of a queue to a sink, from a position up to the end, or for ever. */
final class MessagePump {

    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofMillis(5);

    private final Tailer tailer;
    private final Schemas schemas;
    private final LongSupplier end;
    private final MessageSink sink;
    private final Set<Integer> sent = new HashSet<>();
    private final HeldException holding = new HeldException();
    private long firstEnd;
    private long bound;
    private boolean held;

    private MessagePump(Tailer tailer, Schemas schemas, LongSupplier end, MessageSink sink) {
        this.tailer = tailer;
        this.schemas = schemas;
        this.end = end;
        this.sink = sink;
        this.firstEnd = tailer.endPosition();
    }

    /** Makes a pump that sends from the position of a tailer. */
    static MessagePump of(LarderQueue queue, Tailer tailer, CopyScope scope, MessageSink sink) {
        LongSupplier end = switch (scope) {
            case COMMITTED -> () -> Long.MAX_VALUE;
            case DURABLE -> queue::durablePosition;
        };
        return new MessagePump(tailer, queue.schemaFiles(), end, sink);
    }

    /** Thrown at a message that exists but must not be sent yet, so that the tailer stays before it. */
    private static final class HeldException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        private HeldException() {
            super("not durable yet", null, false, false);
        }
    }

    /**
     * Sends messages while {@code wanted} returns true, or until there are no more. Reports to the sink each time that there
     * are no more, and first where the queue ended when this pump was made. A copy of a busy queue that does not follow ends
     * there.
     */
    void run(boolean follow, BooleanSupplier wanted) throws IOException {
        try {
            do {
                while (wanted.getAsBoolean() && sendSome()) {
                    assert tailer.position() > 0;
                }
                sink.idle();
                firstEnd = Long.MAX_VALUE;
            } while (follow && wanted.getAsBoolean() && await());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Sends some messages; returns whether there may be more. */
    private boolean sendSome() {
        bound = Math.min(end.getAsLong(), firstEnd);
        held = false;
        try {
            return tailer.drain(this::send, 1000) > 0;
        } catch (HeldException e) {
            held = true;
            return false;
        }
    }

    /**
     * Waits for a message for a while. Then the pump reports again that there is none, so that the other side knows it
     * is alive.
     */
    private boolean await() {
        try {
            if (held) {
                awaitBound();
            } else {
                tailer.poll(this::send, HEARTBEAT);
            }
        } catch (HeldException e) {
            held = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException(schemas.directory() + ": interrupted while waiting for messages", e);
        }
        return true;
    }

    /**
     * Waits for a later durable position, by polling. A durable position wakes no thread, and a check now and then is
     * soon enough beside the flush.
     */
    private void awaitBound() throws InterruptedException {
        long deadline = System.nanoTime() + HEARTBEAT.toNanos();
        while (end.getAsLong() <= bound && System.nanoTime() < deadline) {
            Thread.sleep(LOOK);
        }
    }

    private void send(MemorySegment segment, long offset, int length) {
        if (tailer.position() >= bound) {
            throw holding;
        }
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            sendSchema(bytes);
            sink.message(tailer.position(), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendSchema(byte[] message) throws IOException {
        int number = TypedMessages.number(message);
        if (number > 0 && !sent.contains(number)) {
            schemas.get(number).ifPresent(schema -> send(number, schema)); // a missing schema may still arrive
        }
    }

    private void send(int number, Schema schema) {
        try {
            sink.schema(number, schema);
            sent.add(number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
