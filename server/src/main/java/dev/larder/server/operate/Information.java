package dev.larder.server.operate;

import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** {@code INFO}: the server's report about itself, in sections. */
final class Information {

    private record Section(String title, boolean isDefault, Consumer<Lines> body) {}

    private final Figures figures;

    Information(Figures figures) {
        this.figures = figures;
    }

    /** Returns the sections by their names. They show one snapshot of the maps. */
    private Map<String, Section> sections() {
        NodeSections node = new NodeSections(figures);
        CommandSections commands = new CommandSections(figures);
        Map<String, Section> all = new LinkedHashMap<>();
        for (Section section : List.of(
                new Section("Server", true, node::server),
                new Section("Clients", true, node::clients),
                new Section("Memory", true, node::memory),
                new Section("Persistence", true, node::persistence),
                new Section("Stats", true, node::stats),
                new Section("Replication", true, node::replication),
                new Section("CPU", true, node::processor),
                new Section("Modules", true, lines -> {}),
                new Section("Commandstats", false, commands::calls),
                new Section("Errorstats", true, commands::errors),
                new Section("Latencystats", false, commands::times),
                new Section("Cluster", true, node::cluster),
                new Section("Keyspace", true, node::keyspace),
                new Section("Stripes", false, node::stripes))) {
            all.put(section.title().toLowerCase(Locale.ROOT), section);
        }
        return all;
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

    /** Returns the sections with some names, each once; without names, the default sections. */
    String text(Set<String> names) {
        boolean all = names.contains("all") || names.contains("everything");
        boolean standard = names.isEmpty() || names.contains("default");
        Lines lines = new Lines();
        sections().forEach((name, section) -> {
            if (all || (standard && section.isDefault()) || names.contains(name)) {
                lines.section(section.title());
                section.body().accept(lines);
            }
        });
        return lines.toString();
    }
}
