package dev.larder.server.client;

import dev.larder.resp.ReplyOutput;

/** The connection of a session, as the transport has it. Only the session's loop calls it, but for {@link #execute}. */
public interface Link {

    /** Returns where the bytes of this turn's replies go. They are sent with {@link #flush}. */
    ReplyOutput output();

    /** Sends what was written. */
    void flush();

    /** Runs a task in the session's loop, later; never, if the connection is closed before. Any thread. */
    void execute(Runnable task);

    /** Runs a task in the session's loop, after a time; never, if the connection is closed before. Returns what stops it. */
    Runnable executeLater(Runnable task, long delayMillis);

    /** Lets the session take more of what was read, or arrives, after it did not want any. */
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

    /** Returns whether so much is written that it is to be sent before more is. */
    boolean isFull();

    /** Has the system ask a silent client whether it is there, after a number of seconds; 0 for never. */
    void keepAlive(int seconds);

    /** Returns a number of the connection, which no other open one has. */
    long number();

    /** Returns how many bytes were read that the session has not taken. Any thread; to others it is a guess. */
    long queryBytes();

    /** Returns how many bytes more fit in the buffer of those. Any thread; to others it is a guess. */
    long queryRoomBytes();

    /** Returns a number that grows while the client takes what it is sent. */
    long sentBytes();

    /** Returns how many bytes wait for the client to take them. Any thread; to others it is a guess. */
    long pendingBytes();
}
