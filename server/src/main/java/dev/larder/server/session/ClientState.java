package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.server.client.SessionOutput;

/** What a client has said about itself, and how it wants to be treated. Its loop writes this, and any thread reads it. */
final class ClientState {

    /** Whether the client wants replies. */
    enum Replies {
        ON,
        /** None for the next command. */
        SKIP_NEXT,
        /** None for this command. */
        SKIP,
        OFF
    }

    private volatile String name = "";
    private volatile String libraryName = "";
    private volatile String libraryVersion = "";
    private volatile boolean staying;
    private volatile boolean monitoring;
    private final SessionOutput output;
    private Replies replies = Replies.ON;

    /** Creates the state of a client whose replies go to an output. */
    ClientState(SessionOutput output) {
        this.output = output;
    }

    String name() {
        return name;
    }

    void name(String text) {
        name = text;
    }

    String libraryName() {
        return libraryName;
    }

    void libraryName(String text) {
        libraryName = text;
    }

    String libraryVersion() {
        return libraryVersion;
    }

    void libraryVersion(String text) {
        libraryVersion = text;
    }

    /** Returns whether the client stays open when clients take too much memory. */
    boolean isStaying() {
        return staying;
    }

    void staying(boolean now) {
        staying = now;
    }

    /** Returns whether it sees the commands of all clients. */
    boolean isMonitoring() {
        return monitoring;
    }

    void monitoring(boolean now) {
        monitoring = now;
    }

    /**
     * Refuses a command on keys from a client that sees the commands of all clients, as Redis does.
     *
     * @throws ReplyException if the command is refused
     */
    void require(Command command) {
        if (monitoring && (command.is(CommandFlag.READONLY) || Pause.writes(command))) {
            throw new ReplyException("ERR Replica can't interact with the keyspace");
        }
    }

    Replies replies() {
        return replies;
    }

    /** Sets whether the client wants replies. */
    void replies(Replies now) {
        replies = now;
        output.setSilent(now == Replies.OFF || now == Replies.SKIP);
    }

    /** Handles the end of a command, which may have been the one without a reply. */
    void countReplies() {
        switch (replies) {
            case SKIP_NEXT -> replies(Replies.SKIP);
            case SKIP -> replies(Replies.ON);
            case ON, OFF -> {}
        }
    }

    /** Restores the state of a new connection; what is known of the library stays. */
    void reset() {
        name = "";
        staying = false;
        monitoring = false;
        if (replies != Replies.SKIP) { // this command has no reply either
            replies(Replies.ON);
        }
    }
}
