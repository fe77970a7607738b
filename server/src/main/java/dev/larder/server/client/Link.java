package dev.larder.server.client;

import dev.larder.resp.ReplyOutput;

/** The connection of a session, as the transport provides it. Only the session's loop calls it, except {@link #execute}. */
public interface Link {

    /** Returns where the bytes of this turn's replies go. They are sent with {@link #flush}. */
    ReplyOutput output();

    /** Sends what was written. */
    void flush();

    /** Runs a task in the session's loop, later; never, if the connection is closed before. Any thread may call this. */
    void execute(Runnable task);

    /**
     * Runs a task in the session's loop, after a time; never, if the connection is closed before. Returns a task that cancels
     * it.
     */
    Runnable executeLater(Runnable task, long delayMillis);

    /** Lets the session take more of what was read, or arrives, after it had stopped. */
    void resume();

    /** Sends what was written, then closes. */
    void closeAfterFlush();

    /** Closes at once: what was written and not sent is lost. */
    void abort();

    /** Returns the client's address, as {@code host:port}. */
    String remoteAddress();

    /** Returns the server's address, as {@code host:port}. */
    String localAddress();

    /** Returns whether the client speaks TLS. */
    boolean isEncrypted();

    /** Returns whether so much is written that it must be sent before more is written. */
    boolean isFull();

    /** Makes the system probe a silent client, after a number of seconds; 0 for never. */
    void keepAlive(int seconds);

    /** Returns a number of the connection, which no other open one has. */
    long number();

    /** Returns how many bytes were read that the session has not taken. Any thread; for other threads it is an estimate. */
    long queryBytes();

    /** Returns how many bytes more fit in the buffer of those. Any thread; for other threads it is an estimate. */
    long queryRoomBytes();

    /** Returns a number that grows while the client reads what it is sent. */
    long sentBytes();

    /** Returns how many bytes wait for the client to read them. Any thread; for other threads it is an estimate. */
    long pendingBytes();
}
