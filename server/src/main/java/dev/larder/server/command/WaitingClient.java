package dev.larder.server.command;

import dev.larder.server.dump.LongDump;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.stream.UnnamedStream;
import org.jspecify.annotations.Nullable;

/** A client that may wait for keys to change. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public interface WaitingClient {

    /**
     * Makes the client wait: it has no reply yet. Called within {@link Database#run}.
     *
     * @param place the client's place, for code that ends its wait
     * @param timeoutMillis how long it waits at most; 0: for ever
     */
    void waits(Place place, long timeoutMillis);

    /**
     * Gives the client its reply. Any thread may call this.
     *
     * @param reply the whole reply, in the version of the protocol that the client had when it began to wait
     * @param uncommitted whether the reply may go only after a commit
     */
    void served(byte[] reply, boolean uncommitted);

    /**
     * Keeps a stream that another thread makes for the client's command, and removes it if the client leaves first. Only
     * clients of a session do so; others make the stream at once.
     */
    default void keep(UnnamedStream stream) {
        throw new IllegalStateException("a stream for a client that has no session");
    }

    /** Returns the stream that was kept, and keeps it no longer; null if there is none. */
    default @Nullable UnnamedStream takeKept() {
        return null;
    }

    /**
     * Keeps the dump that another thread makes for the client's command. Only clients of a session do so; others make it at
     * once.
     */
    default void keep(LongDump dump) {
        throw new IllegalStateException("a dump for a client that has no session");
    }

    /** Returns the dump that was kept, and keeps it no longer; null if there is none. */
    default @Nullable LongDump takeDump() {
        return null;
    }

    /**
     * Keeps the reply that another thread has made to the client's command, until the command is run again. Only clients of a
     * session do so; for others the command reads in the caller's thread.
     */
    default void keepReply(byte[] reply) {
        throw new IllegalStateException("a reply for a client that has no session");
    }

    /** Returns the reply that was kept, and keeps it no longer; null if there is none. */
    default byte @Nullable [] takeReply() {
        return null;
    }

    /** Returns the dumps that another thread makes for the client's transaction. They are dropped at its end. */
    default TransactionDumps dumps() {
        throw new IllegalStateException("dumps for a client that has no session");
    }

    /** The place of a client among the waiting clients. */
    interface Place {

        /** Gives the place up; returns false if the client was served, or gave it up before. Any thread may call this. */
        boolean leave();
    }
}
