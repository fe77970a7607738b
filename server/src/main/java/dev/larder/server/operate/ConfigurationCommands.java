package dev.larder.server.operate;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.access.Users;
import dev.larder.server.config.ConfigurationRewriter;
import dev.larder.server.config.Parameter;
import dev.larder.server.config.Parameters;
import dev.larder.server.config.SettingException;
import dev.larder.server.config.Settings;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** {@code CONFIG} and its subcommands. */
final class ConfigurationCommands {

    /** The characters that make a name a pattern; a name without them is shown as it was requested. */
    private static final String WILD = "*?[";

    private final Settings settings;
    private final Users users;
    private final Optional<Path> file;
    private final Runnable resetCounts;

    ConfigurationCommands(Settings settings, Users users, Optional<Path> file, Runnable resetCounts) {
        this.settings = settings;
        this.users = users;
        this.file = file;
        this.resetCounts = resetCounts;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "config|get", this::get,
                "config|resetstat", this::resetCounts,
                "config|rewrite", this::rewrite,
                "config|set", this::set);
    }

    private void get(Session session, Request request) {
        Map<String, String> found = new TreeMap<>();
        for (int i = 2; i < request.count(); i++) {
            addTo(found, request.text(i));
        }
        session.reply().map(found.size());
        found.forEach((name, value) -> {
            session.reply().text(name);
            session.reply().text(value);
        });
    }

    private void addTo(Map<String, String> found, String asked) {
        if (asked.chars().noneMatch(character -> WILD.indexOf(character) >= 0)) {
            Parameter parameter = Parameters.find(asked.toLowerCase(Locale.ROOT));
            if (parameter != null) {
                found.put(asked, settings.text(parameter.name()));
            }
            return;
        }
        GlobPattern pattern = new GlobPattern(Bytes.of(asked), true);
        for (Parameter parameter : Parameters.list()) {
            addIfMatches(pattern, parameter.name(), parameter, found);
            addIfMatches(pattern, parameter.otherName(), parameter, found);
        }
    }

    private void addIfMatches(GlobPattern pattern, String name, Parameter parameter, Map<String, String> found) {
        if (!name.isEmpty() && pattern.matches(Bytes.of(name))) {
            found.put(name, settings.text(parameter.name()));
        }
    }

    private void set(Session session, Request request) {
        if (request.count() % 2 != 0) {
            throw ReplyException.syntax();
        }
        Map<String, String> changes = new LinkedHashMap<>();
        Map<String, String> given = new HashMap<>();
        for (int i = 2; i < request.count(); i += 2) {
            String name = request.text(i).toLowerCase(Locale.ROOT);
            Parameter parameter = Parameters.find(name);
            if (parameter == null) {
                throw new ReplyException(
                        "ERR Unknown option or number of arguments for CONFIG SET - '" + request.text(i) + "'");
            }
            if (changes.put(parameter.name(), request.exactText(i + 1)) != null) {
                throw failed(request.text(i), "duplicate parameter");
            }
            given.put(parameter.name(), name);
        }
        try {
            settings.change(changes);
        } catch (SettingException e) {
            throw failed(given.getOrDefault(e.parameter(), e.parameter()), e.reason());
        }
        session.reply().ok();
    }

    private static ReplyException failed(String name, String reason) {
        return new ReplyException("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
    }

    private void rewrite(Session session, Request request) {
        if (file.isEmpty()) {
            throw new ReplyException("ERR The server is running without a config file");
        }
        boolean elsewhere = !settings.text("aclfile").isEmpty();
        ConfigurationRewriter.rewrite(file.get(), settings, () -> elsewhere ? List.of() : users.lines());
        session.reply().ok();
    }

    private void resetCounts(Session session, Request request) {
        resetCounts.run();
        session.reply().ok();
    }
}
