package dev.larder.queue;

import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Sends the committed messages of a queue to a sink, from a position on: as far as there are any, or for ever. */
final class MessagePump {

    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    private final Tailer tailer;
    private final Schemas schemas;
    private final MessageSink sink;
    private final Set<Integer> sent = new HashSet<>();

    MessagePump(Tailer tailer, Schemas schemas, MessageSink sink) {
        this.tailer = tailer;
        this.schemas = schemas;
        this.sink = sink;
    }

    /** Sends as long as it is wanted, or until there is nothing more; tells each time there is nothing more. */
    void run(boolean follow, BooleanSupplier wanted) throws IOException {
        try {
            do {
                while (wanted.getAsBoolean() && tailer.drain(this::send, 1000) > 0) {
                    assert tailer.position() > 0;
                }
                sink.idle();
            } while (follow && wanted.getAsBoolean() && await());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Waits for a message for a while; then says again that there is none, so that the other side knows we live. */
    private boolean await() {
        try {
            tailer.poll(this::send, HEARTBEAT);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted while waiting for messages", e);
        }
    }

    private void send(MemorySegment segment, long offset, int length) {
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
            schemas.get(number).ifPresent(schema -> send(number, schema));
            sent.add(number);
        }
    }

    private void send(int number, Schema schema) {
        try {
            sink.schema(number, schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
