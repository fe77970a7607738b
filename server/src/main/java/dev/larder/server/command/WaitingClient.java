package dev.larder.server.command;

/** A client that may wait for keys to change. */
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

    /** The place of a client among those who wait. */
    interface Place {

        /** Gives the place up; returns false if the client has been served, or has given it up before. In any thread. */
        boolean leave();
    }
}
