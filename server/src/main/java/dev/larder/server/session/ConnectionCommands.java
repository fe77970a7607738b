package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.access.Users;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands on the connection itself. */
final class ConnectionCommands {

    private ConnectionCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.of(
                "auth", ConnectionCommands::authenticate,
                "echo", (session, request) -> session.reply().bulk(request.bytes(1)),
                "hello", ConnectionCommands::hello,
                "ping", ConnectionCommands::ping,
                "quit", ConnectionCommands::quit,
                "reset", ConnectionCommands::reset,
                "select", ConnectionCommands::select);
    }

    private static void authenticate(Session session, Request request) {
        if (request.count() > 3) {
            throw ReplyException.syntax();
        }
        if (request.count() == 3) {
            session.authority().authenticate(session, request.exactText(1), request.bytes(2));
        } else if (session.node().users().standard().permissions().isWithoutPassword()) {
            throw new ReplyException("ERR AUTH <password> called without any password configured for the default user."
                    + " Are you sure your configuration is correct?");
        } else {
            session.authority().authenticate(session, Users.DEFAULT, request.bytes(1));
        }
        session.reply().ok();
    }

    private static void ping(Session session, Request request) {
        if (request.count() > 2) {
            throw new ReplyException("ERR wrong number of arguments for 'ping' command");
        }
        if (session.reply().version() == 2 && !session.pushes().subscriptions().isEmpty()) {
            session.reply().array(2);
            session.reply().text("pong");
            session.reply().bulk(request.count() == 2 ? request.bytes(1) : new byte[0]);
        } else if (request.count() == 2) {
            session.reply().bulk(request.bytes(1));
        } else {
            session.reply().status("PONG");
        }
    }

    private static void quit(Session session, Request request) {
        session.reply().ok();
        session.close();
    }

    private static void reset(Session session, Request request) {
        session.reset();
        session.reply().status("RESET");
    }

    private static void select(Session session, Request request) {
        session.select(selected(session, request));
        session.reply().ok();
    }

    /** Returns the database that a SELECT will select, or the one that is selected already if the SELECT is an error. */
    static int selected(Session session, Request request, int before) {
        try {
            return selected(session, request);
        } catch (ReplyException e) {
            return before;
        }
    }

    private static int selected(Session session, Request request) {
        if (!request.isInteger(1)) {
            throw ReplyException.notInteger();
        }
        long index = request.integer(1);
        if (index != (int) index) {
            throw new ReplyException("ERR value is out of range, value must between -2147483648 and 2147483647");
        }
        if (index < 0 || index >= session.node().databases()) {
            throw new ReplyException("ERR DB index is out of range");
        }
        return (int) index;
    }

    private static void hello(Session session, Request request) {
        int version = session.reply().version();
        int at = 1;
        if (request.count() > 1) {
            if (!request.isInteger(1)) {
                throw new ReplyException("ERR Protocol version is not an integer or out of range");
            }
            if (request.integer(1) != 2 && request.integer(1) != 3) {
                throw new ReplyException("NOPROTO unsupported protocol version");
            }
            version = (int) request.integer(1);
            at = 2;
        }
        @Nullable String name = null;
        while (at < request.count()) {
            if (request.is(at, "auth") && at + 2 < request.count()) {
                session.authority().authenticate(session, request.exactText(at + 1), request.bytes(at + 2));
                at += 3;
            } else if (request.is(at, "setname") && at + 1 < request.count()) {
                name = ClientCommands.checked(request.text(at + 1), "Client names");
                at += 2;
            } else {
                throw new ReplyException("ERR Syntax error in HELLO option '" + request.text(at) + "'");
            }
        }
        if (!session.authority().isAuthenticated()) {
            throw new ReplyException("NOAUTH HELLO must be called with the client already authenticated, otherwise the"
                    + " HELLO AUTH <user> <pass> option can be used to authenticate the client and select the"
                    + " RESP protocol version at the same time");
        }
        if (name != null) {
            session.setName(name);
        }
        session.reply().setVersion(version);
        replyHello(session);
    }

    private static void replyHello(Session session) {
        ReplyEncoder reply = session.reply();
        reply.map(7);
        reply.text("server");
        reply.text("redis");
        reply.text("version");
        reply.text(Node.VERSION);
        reply.text("proto");
        reply.integer(reply.version());
        reply.text("id");
        reply.integer(session.id());
        reply.text("mode");
        reply.text(session.node().settings().truth("cluster-enabled") ? "cluster" : "standalone");
        reply.text("role");
        reply.text("master");
        reply.text("modules");
        reply.array(0);
    }
}
