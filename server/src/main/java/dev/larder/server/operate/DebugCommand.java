package dev.larder.server.operate;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Admission;
import dev.larder.server.session.HelpText;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** {@code DEBUG}: for tests of the server. It runs only if {@code enable-debug-command} allows it. */
final class DebugCommand {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final double SECOND_MILLIS = 1000;

    private final Figures figures;
    private final Map<String, SessionHandler> subcommands = new HashMap<>();

    DebugCommand(Figures figures) {
        this.figures = figures;
        subcommands.put("change-repl-id", DebugCommand::ok);
        subcommands.put("digest", (session, request) -> session.reply().status(Digests.ofAll(figures.stores())));
        subcommands.put("digest-value", this::digestValues);
        subcommands.put("error", (session, request) -> session.reply().error(request.text(2)));
        subcommands.put("loadaof", this::reload);
        subcommands.put("log", DebugCommand::log);
        subcommands.put("object", this::object);
        subcommands.put("pause-cron", DebugCommand::ok);
        subcommands.put("populate", this::populate);
        subcommands.put("protocol", DebugCommand::protocol);
        subcommands.put("quicklist-packed-threshold", DebugCommand::ok);
        subcommands.put("reload", this::reload);
        subcommands.put("set-active-expire", this::setActiveExpiry);
        subcommands.put("set-skip-checksum-validation", DebugCommand::ok);
        subcommands.put("sleep", DebugCommand::sleep);
    }

    Map<String, SessionHandler> all() {
        return Map.of("debug", this::run);
    }

    private void run(Session session, Request request) {
        String enabled = figures.settings().text("enable-debug-command");
        boolean local = Admission.isLoopback(session.link().remoteAddress());
        if (enabled.equals("no") || (enabled.equals("local") && !local)) {
            throw new ReplyException("ERR DEBUG command not allowed. If the enable-debug-command option is set to"
                    + " \"local\", you can run it from a local connection, otherwise you need to set this option in the"
                    + " configuration file, and then restart the server.");
        }
        String name = request.text(1).toLowerCase(Locale.ROOT);
        if (name.equals("help")) {
            HelpText.write(session.reply(), "debug", one -> subcommands.containsKey(one) ? "" : null);
            return;
        }
        SessionHandler handler = subcommands.get(name);
        if (handler == null || request.count() < least(name)) {
            throw new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + request.text(1)
                    + "'. Try DEBUG HELP.");
        }
        handler.run(session, request);
    }

    private static int least(String name) {
        return switch (name) {
            case "change-repl-id", "digest", "digest-value", "loadaof", "reload" -> 2;
            default -> 3;
        };
    }

    private static void ok(Session session, Request request) {
        session.reply().ok();
    }

    private void setActiveExpiry(Session session, Request request) {
        figures.data().activeExpiry().accept(!request.is(2, "0"));
        session.reply().ok();
    }

    private static void log(Session session, Request request) {
        LOGGER.log(System.Logger.Level.INFO, "DEBUG LOG: " + request.text(2));
        session.reply().ok();
    }

    private static void sleep(Session session, Request request) {
        try {
            Thread.sleep((long) (Double.parseDouble(request.text(2)) * SECOND_MILLIS));
        } catch (NumberFormatException e) {
            // it sleeps for 0 seconds, as atof of C says
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.reply().ok();
    }

    /** Makes all changes durable, with a checkpoint: an opening would then find the present state. */
    private void reload(Session session, Request request) {
        figures.checkpoints().makeNow();
        session.reply().ok();
    }

    private Store store(Session session) {
        return figures.stores().stream()
                .filter(store -> store.index() == session.databaseIndex())
                .findFirst()
                .orElseThrow(() -> new ReplyException("ERR no such key"));
    }

    private void object(Session session, Request request) {
        Store store = store(session);
        Bytes key = Bytes.of(request, 2);
        KeyType type = store.type(key);
        if (type == KeyType.NONE) {
            throw new ReplyException("ERR no such key");
        }
        boolean string = type == KeyType.STRING;
        session.reply()
                .status("Value at:0x0 refcount:1 encoding:" + (string ? "raw" : type.text()) + " serializedlength:"
                        + (string ? store.length(key) : 0) + " lru:0 lru_seconds_idle:0");
    }

    private void digestValues(Session session, Request request) {
        ValueBuffer buffer = new ValueBuffer();
        session.reply().array(request.count() - 2L);
        for (int i = 2; i < request.count(); i++) {
            session.reply().status(Digests.ofKey(store(session), Bytes.of(request, i), buffer));
        }
    }

    private void populate(Session session, Request request) {
        if (!request.isInteger(2) || (request.count() > 4 && !request.isInteger(4))) {
            throw ReplyException.notInteger();
        }
        String prefix = request.count() > 3 ? request.text(3) : "key";
        Store store = store(session);
        for (long i = 0; i < request.integer(2); i++) {
            Bytes key = Bytes.of(prefix + ":" + i);
            byte[] value = ("value:" + i).getBytes(StandardCharsets.UTF_8);
            if (!store.exists(key)) {
                store.put(key, Bytes.of(request.count() > 4 ? Arrays.copyOf(value, (int) request.integer(4)) : value));
            }
        }
        session.reply().ok();
    }

    private static void protocol(Session session, Request request) {
        ReplyEncoder reply = session.reply();
        switch (request.text(2).toLowerCase(Locale.ROOT)) {
            case "string" -> reply.text("Hello World");
            case "integer" -> reply.integer(12345);
            case "double" -> reply.real(3.141);
            case "null" -> reply.nil();
            case "array" -> replyThree(reply, Kind.ARRAY);
            case "set" -> replyThree(reply, Kind.SET);
            case "map" -> replyThree(reply, Kind.MAP);
            case "attrib" -> replyAttribute(reply);
            case "push" -> replyPush(reply);
            case "verbatim" -> reply.verbatim("txt", "This is a verbatim\nstring");
            case "true" -> reply.truth(true);
            case "false" -> reply.truth(false);
            case "bignum" -> reply.bigNumber("1234567999999999999999999999999999999");
            default ->
                throw new ReplyException("ERR Wrong protocol type name. Please use one of the following: "
                        + "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
        }
    }

    private enum Kind {
        ARRAY,
        SET,
        MAP
    }

    private static void replyThree(ReplyEncoder reply, Kind kind) {
        switch (kind) {
            case ARRAY -> reply.array(3);
            case SET -> reply.set(3);
            case MAP -> reply.map(3);
        }
        for (int i = 0; i < 3; i++) {
            reply.integer(i);
            if (kind == Kind.MAP) {
                reply.truth(i == 1);
            }
        }
    }

    private static void replyAttribute(ReplyEncoder reply) {
        if (reply.version() == 3) {
            reply.attribute(1);
            reply.text("key-popularity");
            reply.array(2);
            reply.text("key:123");
            reply.integer(90);
        }
        reply.text("Some real reply following the attribute");
    }

    /** Writes a push and then a reply, so a client that drops the push still gets a reply. */
    private static void replyPush(ReplyEncoder reply) {
        if (reply.version() < 3) {
            throw new ReplyException("ERR RESP2 is not supported by this command");
        }
        reply.push(2);
        reply.text("server-cpu-usage");
        reply.integer(42);
        reply.text("Some real reply following the push reply");
    }
}
