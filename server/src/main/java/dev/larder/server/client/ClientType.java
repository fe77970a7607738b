package dev.larder.server.client;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import java.util.Locale;

/** The classes of clients that have limits of their own. */
public enum ClientType {
    NORMAL,
    /** A copy of a server: there is none. */
    MASTER,
    /** A mirror, or a client that sees the commands of all clients. */
    REPLICA,
    /** A client with subscriptions. */
    PUBSUB;

    /**
     * Returns the type that an argument names.
     *
     * @throws ReplyException if it names none
     */
    public static ClientType of(Request request, int argument) {
        if (request.is(argument, "slave")) {
            return REPLICA;
        }
        for (ClientType type : values()) {
            if (request.is(argument, type.name())) {
                return type;
            }
        }
        throw new ReplyException("ERR Unknown client type '" + request.text(argument) + "'");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
