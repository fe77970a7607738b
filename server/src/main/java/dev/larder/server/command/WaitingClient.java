package dev.larder.server.command;

import dev.larder.server.dump.LongDump;
import dev.larder.server.stream.UnnamedStream;
import org.jspecify.annotations.Nullable;

/** A client that may wait for keys to change. */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public interface WaitingClient {

    /**
     * Has the client wait: it has no reply yet. Called within {@link Database#run}.
     *
     * @param place where it stands, for those who end its wait
     * @param timeoutMillis how long it waits at most; 0: for ever
     */
    void waits(Place place, long timeoutMillis);

    /**
     * Gives the client its reply. In any thread.
     *
     * @param reply whole, in the version of the protocol that the client had when it began to wait
     * @param uncommitted whether the reply may go only after a commit
     */
    void served(byte[] reply, boolean uncommitted);

    /**
     * Keeps a stream that another thread makes for the client's command, and removes it if the client goes before. One of
     * a session; others make theirs at once.
     */
    default void keep(UnnamedStream stream) {
        throw new IllegalStateException("a stream for a client that has no session");
    }

    /** Returns the stream that was kept, and keeps it no longer; null if there is none. */
    default @Nullable UnnamedStream takeKept() {
        return null;
    }

    /** Keeps the dump that another thread makes for the client's command. One of a session; others make theirs at once. */
    default void keep(LongDump dump) {
        throw new IllegalStateException("a dump for a client that has no session");
    }

    /** Returns the dump that was kept, and keeps it no longer; null if there is none. */
    default @Nullable LongDump takeDump() {
        return null;
    }

    /** The place of a client among those who wait. */
    interface Place {

        /** Gives the place up; returns false if the client has been served, or has given it up before. In any thread. */
        boolean leave();
    }
}
