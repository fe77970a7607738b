package dev.larder.server.operate;

import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.Map;

/** Commands on the server as a whole. */
public final class ServerCommands {

    private static final int MICROS = 1000;
    private static final int MILLIS = 1000;

    private ServerCommands() {}

    /** Returns the handlers by the names of the commands. */
    public static Map<String, SessionHandler> all() {
        return Map.of("time", ServerCommands::time);
    }

    private static void time(Session session, Request request) {
        long now = System.currentTimeMillis();
        session.reply().array(2);
        session.reply().text(Long.toString(now / MILLIS));
        session.reply().text(Long.toString(now % MILLIS * MICROS));
    }
}
