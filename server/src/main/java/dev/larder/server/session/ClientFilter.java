package dev.larder.server.session;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.client.ClientType;
import org.jspecify.annotations.Nullable;

/** Selects the clients of {@code CLIENT KILL}: all conditions hold for them. */
final class ClientFilter {

    private long id;
    private @Nullable ClientType type;
    private @Nullable String remote;
    private @Nullable String local;
    private @Nullable String user;
    private boolean withoutCaller = true;

    private ClientFilter() {}

    /** Reads pairs of an option and a value, from an argument on. */
    static ClientFilter parse(Session session, Request request, int from) {
        ClientFilter filter = new ClientFilter();
        for (int i = from; i < request.count(); i += 2) {
            if (i + 1 == request.count()) {
                throw ReplyException.syntax();
            }
            filter.take(session, request, i);
        }
        return filter;
    }

    /** Returns the filter for the client with an address. */
    static ClientFilter ofAddress(String address) {
        ClientFilter filter = new ClientFilter();
        filter.remote = address;
        filter.withoutCaller = false;
        return filter;
    }

    private void take(Session session, Request request, int at) {
        if (request.is(at, "id")) {
            if (!request.isInteger(at + 1) || request.integer(at + 1) < 1) {
                throw new ReplyException("ERR client-id should be greater than 0");
            }
            id = request.integer(at + 1);
        } else if (request.is(at, "type")) {
            type = ClientType.of(request, at + 1);
        } else if (request.is(at, "addr")) {
            remote = request.text(at + 1);
        } else if (request.is(at, "laddr")) {
            local = request.text(at + 1);
        } else if (request.is(at, "user")) {
            user = request.text(at + 1);
            if (!session.node().isUser(user)) {
                throw new ReplyException("ERR No such user '" + user + "'");
            }
        } else if (request.is(at, "skipme") && (request.is(at + 1, "yes") || request.is(at + 1, "no"))) {
            withoutCaller = request.is(at + 1, "yes");
        } else {
            throw ReplyException.syntax();
        }
    }

    boolean matches(Session session, Session caller) {
        return (id == 0 || session.id() == id)
                && (type == null || session.pushes().listedType() == type)
                && (remote == null || session.link().remoteAddress().equals(remote))
                && (local == null || session.link().localAddress().equals(local))
                && (user == null || session.user().equals(user))
                && !(withoutCaller && session == caller);
    }
}
