package dev.larder.server.session;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import java.util.Map;

/**
 * {@code WAIT} and {@code WAITAOF}: waits until writes are safe. A single node has no mirrors, so a client that asks for some
 * waits for the whole time, and learns that none has answered.
 */
final class WaitCommands {

    private WaitCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.of("wait", WaitCommands::await, "waitaof", WaitCommands::awaitDurable);
    }

    private static void await(Session session, Request request) {
        long mirrors = integer(request, 1);
        long millis = timeout(session, request, 2, mirrors);
        session.runner().replyAfter(millis, () -> session.reply().integer(0));
    }

    /** The writes of the session, and all others, are synced before the reply goes. */
    private static void awaitDurable(Session session, Request request) {
        if (integer(request, 1) < 0 || integer(request, 1) > 1) {
            throw new ReplyException("ERR value is out of range, value must between 0 and 1");
        }
        long mirrors = integer(request, 2);
        if (mirrors < 0) {
            throw new ReplyException("ERR value is out of range, must be positive");
        }
        long millis = timeout(session, request, 3, mirrors);
        session.runner().replyAfter(millis, () -> {
            session.requireCommit(true);
            session.reply().array(2);
            session.reply().integer(1);
            session.reply().integer(0);
        });
    }

    /** Returns how long to wait: not at all if no mirror is asked for, or within a transaction. */
    private static long timeout(Session session, Request request, int argument, long mirrors) {
        if (!request.isInteger(argument)) {
            throw new ReplyException("ERR timeout is not an integer or out of range");
        }
        long millis = request.integer(argument);
        if (millis < 0) {
            throw new ReplyException("ERR timeout is negative");
        }
        if (mirrors <= 0 || session.runner().isExecuting()) {
            return 0;
        }
        if (millis == 0) {
            throw new ReplyException("ERR this node has no mirrors, so a wait without a timeout would never end");
        }
        return millis;
    }

    private static long integer(Request request, int argument) {
        if (!request.isInteger(argument)) {
            throw ReplyException.notInteger();
        }
        return request.integer(argument);
    }
}
