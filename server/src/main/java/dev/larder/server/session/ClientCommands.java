package dev.larder.server.session;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.client.ClientType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@code CLIENT}: the list of clients, and how the server treats them. */
final class ClientCommands {

    private ClientCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.ofEntries(
                Map.entry("client|getname", ClientCommands::name),
                Map.entry("client|id", (session, request) -> session.reply().integer(session.id())),
                Map.entry("client|info", (session, request) -> text(session, ClientLine.of(session) + "\n")),
                Map.entry("client|kill", ClientCommands::kill),
                Map.entry("client|list", ClientCommands::list),
                Map.entry("client|no-evict", (session, request) -> set(session, request, session.client()::staying)),
                Map.entry("client|pause", ClientCommands::pause),
                Map.entry("client|reply", ClientCommands::replies),
                Map.entry("client|setinfo", ClientCommands::setInfo),
                Map.entry("client|setname", ClientCommands::setName),
                Map.entry("client|unblock", ClientCommands::unblock),
                Map.entry("client|unpause", ClientCommands::unpause),
                Map.entry("monitor", ClientCommands::monitor));
    }

    private static void text(Session session, String text) {
        session.reply().verbatim("txt", text);
    }

    private static void name(Session session, Request request) {
        if (session.name().isEmpty()) {
            session.reply().nil();
        } else {
            session.reply().text(session.name());
        }
    }

    private static void setName(Session session, Request request) {
        session.setName(checked(request.text(2), "Client names"));
        session.reply().ok();
    }

    /** Returns a name that has no blanks or similar characters, because these separate the fields of lists. */
    static String checked(String name, String what) {
        if (!name.chars().allMatch(character -> character >= '!' && character <= '~')) {
            throw new ReplyException("ERR " + what + " cannot contain spaces, newlines or special characters.");
        }
        return name;
    }

    private static void setInfo(Session session, Request request) {
        if (request.is(2, "lib-name")) {
            session.client().libraryName(checked(request.text(3), "lib-name"));
        } else if (request.is(2, "lib-ver")) {
            session.client().libraryVersion(checked(request.text(3), "lib-ver"));
        } else {
            throw new ReplyException("ERR Unrecognized option '" + request.text(2) + "'");
        }
        session.reply().ok();
    }

    private static void set(Session session, Request request, Consumer<Boolean> setting) {
        boolean on = request.is(2, "on");
        if (!on && !request.is(2, "off")) {
            throw ReplyException.syntax();
        }
        setting.accept(on);
        session.reply().ok();
    }

    private static void list(Session session, Request request) {
        Predicate<Session> wanted = wanted(request);
        StringBuilder lines = new StringBuilder();
        for (Session one : session.node().sessions().values()) {
            if (wanted.test(one)) {
                lines.append(ClientLine.of(one)).append('\n');
            }
        }
        text(session, lines.toString());
    }

    private static Predicate<Session> wanted(Request request) {
        if (request.count() == 2) {
            return session -> true;
        }
        if (request.count() == 4 && request.is(2, "type")) {
            ClientType type = ClientType.of(request, 3);
            return session -> session.pushes().listedType() == type;
        }
        if (request.count() > 3 && request.is(2, "id")) {
            List<Long> ids = new ArrayList<>();
            for (int i = 3; i < request.count(); i++) {
                if (!request.isInteger(i)) {
                    throw new ReplyException("ERR Invalid client ID");
                }
                ids.add(request.integer(i));
            }
            return session -> ids.contains(session.id());
        }
        throw ReplyException.syntax();
    }

    private static void kill(Session session, Request request) {
        boolean ofAddress = request.count() == 3;
        ClientFilter filter =
                ofAddress ? ClientFilter.ofAddress(request.text(2)) : ClientFilter.parse(session, request, 2);
        int killed = 0;
        for (Session one : session.node().sessions().values()) {
            if (filter.matches(one, session)) {
                one.halt().kill(session);
                killed++;
            }
        }
        if (!ofAddress) {
            session.reply().integer(killed);
        } else if (killed == 0) {
            throw new ReplyException("ERR No such client");
        } else {
            session.reply().ok();
        }
    }

    private static void pause(Session session, Request request) {
        if (request.count() > 4) {
            throw HelpText.wrongArguments("CLIENT", request.text(1));
        }
        boolean all = request.count() == 3 || request.is(3, "all");
        if (!all && !request.is(3, "write")) {
            throw new ReplyException("ERR CLIENT PAUSE mode must be WRITE or ALL");
        }
        if (!request.isInteger(2)) {
            throw new ReplyException("ERR timeout is not an integer or out of range");
        }
        long millis = request.integer(2);
        if (millis < 0) {
            throw new ReplyException("ERR timeout is negative");
        }
        long now = System.currentTimeMillis();
        session.node().pause().begin(all, millis > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + millis, now);
        session.reply().ok();
    }

    private static void unpause(Session session, Request request) {
        session.node().pause().end();
        session.reply().ok();
    }

    private static void replies(Session session, Request request) {
        if (request.is(2, "on")) {
            session.client().replies(ClientState.Replies.ON);
            session.reply().ok();
        } else if (request.is(2, "off")) {
            session.client().replies(ClientState.Replies.OFF);
        } else if (!request.is(2, "skip")) {
            throw ReplyException.syntax();
        } else if (session.client().replies() != ClientState.Replies.OFF) {
            session.client().replies(ClientState.Replies.SKIP_NEXT);
        }
    }

    private static void unblock(Session session, Request request) {
        if (request.count() > 4) {
            throw HelpText.wrongArguments("CLIENT", request.text(1));
        }
        boolean withError = request.count() == 4 && request.is(3, "error");
        if (request.count() == 4 && !withError && !request.is(3, "timeout")) {
            throw new ReplyException("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        }
        if (!request.isInteger(2)) {
            throw ReplyException.notInteger();
        }
        Session target = session.node().sessions().get(request.integer(2));
        session.reply().integer(target != null && target.unblock(withError) ? 1 : 0);
    }

    private static void monitor(Session session, Request request) {
        session.runner().requireNotExecuting("MONITOR isn't allowed for DENY BLOCKING client");
        if (!session.client().isMonitoring()) { // a second time there is no reply
            session.client().monitoring(true);
            session.node().monitors().add(session);
            session.reply().ok();
        }
    }
}
