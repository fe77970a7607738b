package dev.larder.lab.load;

/** A request that has reached a target. Its server answers it once, on any thread, at any time. */
final class Incoming {

    /** Accepts requests as they are read; it may keep them indefinitely, but must not block the thread. */
    @FunctionalInterface
    interface Handler extends AutoCloseable {
        void take(Incoming request);

        /** Stops serving. */
        @Override
        default void close() {}
    }

    /** Its kind within the workload. */
    final int kind;

    /** A key, or another argument of the kind. */
    final long argument;

    /** Its payload. */
    final byte[] payload;

    /** When it was read, by {@code System.nanoTime()}. */
    final long receivedNanos;

    private final TargetConnection connection;
    private final long id;

    Incoming(TargetConnection connection, long id, int kind, long argument, byte[] payload, long receivedNanos) {
        this.connection = connection;
        this.id = id;
        this.kind = kind;
        this.argument = argument;
        this.payload = payload;
        this.receivedNanos = receivedNanos;
    }

    /** Answers it. */
    void answer(long startedNanos, int status) {
        connection.answer(id, startedNanos - receivedNanos, System.nanoTime() - startedNanos, status);
    }
}
