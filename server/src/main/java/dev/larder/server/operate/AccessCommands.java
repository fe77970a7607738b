package dev.larder.server.operate;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.access.AccessLog;
import dev.larder.server.access.Denial;
import dev.larder.server.access.Passwords;
import dev.larder.server.access.Permissions;
import dev.larder.server.access.RuleException;
import dev.larder.server.access.User;
import dev.larder.server.access.UserFile;
import dev.larder.server.access.Users;
import dev.larder.server.config.ConfigurationRewriter;
import dev.larder.server.config.Settings;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code ACL} and its subcommands. */
final class AccessCommands {

    private static final int LOG_COUNT = 10;
    private static final int MILLIS = 1000;
    private static final int PASSWORD_BITS = 256;

    private static final String NO_FILE =
            "ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL"
                + " SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set)"
                + " in order to store users in the Redis configuration.";

    private final Users users;
    private final AccessLog log;
    private final Settings settings;

    AccessCommands(Users users, AccessLog log, Settings settings) {
        this.users = users;
        this.log = log;
        this.settings = settings;
    }

    Map<String, SessionHandler> all() {
        return Map.ofEntries(
                Map.entry("acl|cat", this::categories),
                Map.entry("acl|deluser", this::delete),
                Map.entry("acl|dryrun", this::tryOut),
                Map.entry("acl|genpass", AccessCommands::generatePassword),
                Map.entry("acl|getuser", this::show),
                Map.entry("acl|list", (session, request) -> replyAll(session, users.lines())),
                Map.entry("acl|load", this::load),
                Map.entry("acl|log", this::log),
                Map.entry("acl|save", this::save),
                Map.entry("acl|setuser", this::set),
                Map.entry(
                        "acl|users",
                        (session, request) -> replyAll(
                                session, users.all().stream().map(User::name).toList())),
                Map.entry(
                        "acl|whoami",
                        (session, request) ->
                                session.reply().text(session.authority().user().name())));
    }

    private static void replyAll(Session session, List<String> texts) {
        session.reply().array(texts.size());
        texts.forEach(session.reply()::text);
    }

    private void categories(Session session, Request request) {
        if (request.count() > 3) {
            throw wrongArguments(request);
        }
        if (request.count() == 2) {
            session.reply().array(CommandCategory.values().length);
            for (CommandCategory category : CommandCategory.values()) {
                session.reply().text(category.text());
            }
            return;
        }
        String name = request.text(2).toLowerCase(Locale.ROOT);
        List<String> commands = new ArrayList<>();
        for (Command command : CommandTable.withNotOffered().all()) {
            addIfIn(name, command, commands);
            command.subcommands().forEach(subcommand -> addIfIn(name, subcommand, commands));
        }
        boolean known = List.of(CommandCategory.values()).stream()
                .anyMatch(category -> category.text().equals(name));
        if (!known) {
            throw new ReplyException("ERR Unknown category '" + request.text(2) + "'");
        }
        replyAll(session, commands);
    }

    private static void addIfIn(String category, Command command, List<String> names) {
        if (command.categories().stream().anyMatch(one -> one.text().equals(category))) {
            names.add(command.name());
        }
    }

    private void set(Session session, Request request) {
        List<String> rules = new ArrayList<>();
        for (int i = 3; i < request.count(); i++) {
            rules.add(request.exactText(i));
        }
        try {
            users.set(request.exactText(2), rules);
        } catch (RuleException e) {
            throw new ReplyException("ERR " + e.getMessage());
        }
        session.reply().ok();
    }

    private void delete(Session session, Request request) {
        for (int i = 2; i < request.count(); i++) {
            if (request.exactText(i).equals(Users.DEFAULT)) {
                throw new ReplyException("ERR The 'default' user cannot be removed");
            }
        }
        int count = 0;
        for (int i = 2; i < request.count(); i++) {
            count += users.remove(request.exactText(i)) ? 1 : 0;
        }
        session.reply().integer(count);
    }

    private void show(Session session, Request request) {
        User user = users.find(request.exactText(2));
        if (user == null) {
            session.reply().nil();
            return;
        }
        Permissions permissions = user.permissions();
        ReplyEncoder reply = session.reply();
        reply.map(6);
        reply.text("flags");
        reply.set(permissions.flags().size());
        permissions.flags().forEach(reply::text);
        reply.text("passwords");
        replyAll(session, List.copyOf(permissions.passwords()));
        List<Permissions.Rules> rules = permissions.rules();
        replyRules(reply, rules.getFirst());
        reply.text("selectors");
        reply.array(rules.size() - 1L);
        rules.stream().skip(1).forEach(selector -> {
            reply.map(3);
            replyRules(reply, selector);
        });
    }

    private static void replyRules(ReplyEncoder reply, Permissions.Rules rules) {
        reply.text("commands");
        reply.text(rules.commands());
        reply.text("keys");
        reply.text(rules.keys());
        reply.text("channels");
        reply.text(rules.channels());
    }

    private void tryOut(Session session, Request request) {
        User user = users.find(request.exactText(2));
        if (user == null) {
            throw new ReplyException("ERR User '" + request.text(2) + "' not found");
        }
        Request inner = request.from(3);
        Command meant = CommandTable.withNotOffered().findMeant(inner);
        if (meant == null) {
            throw new ReplyException("ERR Command '" + inner.text(0) + "' not found");
        }
        if (!meant.takes(inner.count())) {
            throw new ReplyException(meant.wrongArity());
        }
        Denial denial = user.permissions().check(meant, inner);
        if (denial == null) {
            session.reply().ok();
        } else {
            session.reply().text(denial.description());
        }
    }

    private static void generatePassword(Session session, Request request) {
        if (request.count() > 3) {
            throw wrongArguments(request);
        }
        if (request.count() == 3 && !request.isInteger(2)) {
            throw ReplyException.notInteger();
        }
        long bits = request.count() == 3 ? request.integer(2) : PASSWORD_BITS;
        try {
            session.reply().text(Passwords.generate(bits));
        } catch (IllegalArgumentException e) {
            throw new ReplyException(
                    "ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up"
                            + " to 4096");
        }
    }

    private static ReplyException wrongArguments(Request request) {
        return new ReplyException(
                "ERR unknown subcommand or wrong number of arguments for '" + request.text(1) + "'. Try ACL HELP.");
    }

    private void log(Session session, Request request) {
        if (request.count() > 3) {
            throw wrongArguments(request);
        }
        if (request.count() == 3 && request.is(2, "reset")) {
            log.clear();
            session.reply().ok();
            return;
        }
        if (request.count() == 3 && !request.isInteger(2)) {
            throw ReplyException.notInteger();
        }
        long count = request.count() == 3 ? Math.max(0, request.integer(2)) : LOG_COUNT;
        List<AccessLog.Entry> entries = log.newest(count);
        session.reply().array(entries.size());
        entries.forEach(entry -> reply(session.reply(), entry));
    }

    private static void reply(ReplyEncoder reply, AccessLog.Entry entry) {
        reply.map(7);
        reply.text("count");
        reply.integer(entry.count());
        reply.text("reason");
        reply.text(entry.reason());
        reply.text("context");
        reply.text(entry.context());
        reply.text("object");
        reply.text(entry.object());
        reply.text("username");
        reply.text(entry.user());
        reply.text("age-seconds");
        reply.real((System.currentTimeMillis() - entry.millis()) / (double) MILLIS);
        reply.text("client-info");
        reply.text(entry.client());
    }

    private Path file() {
        if (settings.text("aclfile").isEmpty()) {
            throw new ReplyException(NO_FILE);
        }
        return Path.of(settings.text("aclfile"));
    }

    private void load(Session session, Request request) {
        try {
            UserFile.load(file(), users);
        } catch (RuleException e) {
            throw new ReplyException("ERR " + e.getMessage());
        }
        session.reply().ok();
    }

    private void save(Session session, Request request) {
        ConfigurationRewriter.replace(file(), users::lines);
        session.reply().ok();
    }
}
