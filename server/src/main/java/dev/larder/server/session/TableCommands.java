package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.KeyUse;
import dev.larder.resp.KeyUses;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code COMMAND} and its subcommands: they show what this server has, from the table of commands. */
final class TableCommands {

    private TableCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.of(
                "command",
                        (session, request) ->
                                replyAll(session, session.node().commands().all()),
                "command|count",
                        (session, request) -> session.reply()
                                .integer(session.node().commands().all().size()),
                "command|docs", TableCommands::docs,
                "command|getkeys", (session, request) -> keys(session, request, false),
                "command|getkeysandflags", (session, request) -> keys(session, request, true),
                "command|info", TableCommands::info,
                "command|list", TableCommands::list);
    }

    private static void replyAll(Session session, List<Command> commands) {
        session.reply().array(commands.size());
        commands.forEach(command -> reply(session.reply(), command));
    }

    private static void reply(ReplyEncoder reply, Command command) {
        reply.array(10);
        reply.text(command.name());
        reply.integer(command.arity());
        reply.set(command.flags().size());
        for (CommandFlag flag : command.flags()) {
            reply.status(flag.text());
        }
        reply.integer(command.keys().first());
        reply.integer(command.keys().last());
        reply.integer(command.keys().step());
        reply.set(command.categories().size());
        for (CommandCategory category : command.categories()) {
            reply.status("@" + category.text());
        }
        reply.set(0); // tips
        reply.set(0); // key specifications
        reply.array(command.subcommands().size());
        command.subcommands().forEach(subcommand -> reply(reply, subcommand));
    }

    private static void info(Session session, Request request) {
        if (request.count() == 2) {
            replyAll(session, session.node().commands().all());
            return;
        }
        session.reply().array(request.count() - 2);
        for (int i = 2; i < request.count(); i++) {
            Command command = session.node().commands().find(request.text(i).toLowerCase(Locale.ROOT));
            if (command == null) {
                session.reply().nil();
            } else {
                reply(session.reply(), command);
            }
        }
    }

    private static void docs(Session session, Request request) {
        List<Command> asked = new ArrayList<>();
        for (int i = 2; i < request.count(); i++) {
            Command command = session.node().commands().find(request.text(i).toLowerCase(Locale.ROOT));
            if (command != null) {
                asked.add(command);
            }
        }
        List<Command> commands =
                request.count() == 2 ? session.node().commands().all() : asked;
        session.reply().map(commands.size());
        commands.forEach(command -> replyDocs(session.reply(), command));
    }

    private static void replyDocs(ReplyEncoder reply, Command command) {
        reply.text(command.name());
        boolean parent = !command.subcommands().isEmpty();
        reply.map(parent ? 5 : 4);
        reply.text("summary");
        reply.text(command.summary());
        reply.text("since");
        reply.text(command.since());
        reply.text("group");
        reply.text(command.group());
        reply.text("complexity");
        reply.text(command.complexity());
        if (parent) {
            reply.text("subcommands");
            reply.map(command.subcommands().size());
            command.subcommands().forEach(subcommand -> replyDocs(reply, subcommand));
        }
    }

    private static void keys(Session session, Request request, boolean withUses) {
        Request inner = request.from(2);
        Command meant = session.node().commands().table().findMeant(inner);
        if (meant == null) {
            throw new ReplyException("ERR Invalid command specified");
        }
        if (!KeyUses.areThere(meant)) {
            throw new ReplyException("ERR The command has no key arguments");
        }
        if (!meant.takes(inner.count())) {
            throw new ReplyException("ERR Invalid number of arguments specified for command");
        }
        List<UsedKey> keys = new ArrayList<>();
        KeyUses.forEach(meant, inner, (uses, argument) -> keys.add(new UsedKey(inner.bytes(argument), uses)));
        if (keys.isEmpty()) {
            throw new ReplyException("ERR Invalid arguments specified for command");
        }
        session.reply().array(keys.size());
        keys.forEach(key -> key.reply(session.reply(), withUses));
    }

    /** A key of a command, and how the command uses it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record UsedKey(byte[] key, Set<KeyUse> uses) {

        void reply(ReplyEncoder reply, boolean withUses) {
            if (withUses) {
                reply.array(2);
            }
            reply.bulk(key);
            if (withUses) {
                reply.set(uses.size());
                uses.forEach(use -> reply.status(use.text()));
            }
        }
    }

    private static void list(Session session, Request request) {
        List<String> names = new ArrayList<>();
        Filter filter = Filter.parse(request);
        for (Command command : session.node().commands().all()) {
            addIfTaken(command, filter, names);
            command.subcommands().forEach(subcommand -> addIfTaken(subcommand, filter, names));
        }
        session.reply().array(names.size());
        names.forEach(session.reply()::text);
    }

    private static void addIfTaken(Command command, Filter filter, List<String> names) {
        if (filter.takes(command)) {
            names.add(command.name());
        }
    }

    private record Filter(@Nullable GlobPattern pattern, String category, boolean nothing) {

        static Filter parse(Request request) {
            if (request.count() == 2) {
                return new Filter(null, "", false);
            }
            if (request.count() != 5 || !request.is(2, "filterby")) {
                throw ReplyException.syntax();
            }
            if (request.is(3, "module")) {
                return new Filter(null, "", true);
            }
            if (request.is(3, "aclcat")) {
                return new Filter(null, request.text(4).toLowerCase(Locale.ROOT), false);
            }
            if (request.is(3, "pattern")) {
                return new Filter(new GlobPattern(Bytes.of(request, 4), true), "", false);
            }
            throw ReplyException.syntax();
        }

        boolean takes(Command command) {
            boolean named = pattern == null || pattern.matches(Bytes.of(command.name()));
            boolean grouped = category.isEmpty()
                    || command.categories().stream().anyMatch(one -> one.text().equals(category));
            return !nothing && named && grouped;
        }
    }
}
