package dev.larder.server.operate;

import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** {@code INFO}: what the server tells about itself, in sections. */
final class Information {

    private record Section(String title, boolean isDefault, Consumer<Lines> body) {}

    private final Map<String, Section> sections = new LinkedHashMap<>();

    Information(Figures figures) {
        NodeSections node = new NodeSections(figures);
        CommandSections commands = new CommandSections(figures);
        add("Server", true, node::server);
        add("Clients", true, node::clients);
        add("Memory", true, node::memory);
        add("Persistence", true, node::persistence);
        add("Stats", true, node::stats);
        add("Replication", true, node::replication);
        add("CPU", true, node::processor);
        add("Modules", true, lines -> {});
        add("Commandstats", false, commands::calls);
        add("Errorstats", true, commands::errors);
        add("Latencystats", false, commands::times);
        add(
                "Cluster",
                true,
                lines -> lines.add("cluster_enabled", figures.settings().truth("cluster-enabled") ? 1 : 0));
        add("Keyspace", true, node::keyspace);
        add("Stripes", false, node::stripes);
    }

    private void add(String title, boolean isDefault, Consumer<Lines> body) {
        sections.put(title.toLowerCase(Locale.ROOT), new Section(title, isDefault, body));
    }

    Map<String, SessionHandler> handlers() {
        return Map.of("info", this::info);
    }

    private void info(Session session, Request request) {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 1; i < request.count(); i++) {
            names.add(request.text(i).toLowerCase(Locale.ROOT));
        }
        session.reply().verbatim("txt", text(names));
    }

    /** Returns the sections of some names, each once; those of the default without names. */
    String text(Set<String> names) {
        boolean all = names.contains("all") || names.contains("everything");
        boolean standard = names.isEmpty() || names.contains("default");
        Lines lines = new Lines();
        sections.forEach((name, section) -> {
            if (all || (standard && section.isDefault()) || names.contains(name)) {
                lines.section(section.title());
                section.body().accept(lines);
            }
        });
        return lines.toString();
    }
}
