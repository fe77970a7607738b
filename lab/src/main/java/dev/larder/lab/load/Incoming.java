package dev.larder.lab.load;

/** A request that has reached a target. Whoever serves it answers it once, on any thread, at any time. */
final class Incoming {

    /** Takes requests as they are read; it may keep them for as long as it likes, but not the thread. */
    @FunctionalInterface
    interface Handler extends AutoCloseable {
        void take(Incoming request);

        /** Serves nothing more. */
        @Override
        default void close() {}
    }

    /** Which of the workload's kinds it is. */
    final int kind;

    /** A key, or whatever else the kind takes. */
    final long argument;

    /** What came with it. */
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
