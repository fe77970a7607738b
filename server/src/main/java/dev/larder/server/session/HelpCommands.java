package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyEncoder;
import dev.larder.server.command.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code HELP} of each command with subcommands, from the table of commands. */
final class HelpCommands {

    private HelpCommands() {}

    /** Adds a handler for each command that has any subcommand, unless it has one already. */
    static void addTo(Map<String, SessionHandler> handlers) {
        for (Command command : CommandTable.standard().all()) {
            List<Command> offered = command.subcommands().stream()
                    .filter(child -> handlers.containsKey(child.name()) || Commands.handler(child) != null)
                    .toList();
            String name = command.name() + "|help";
            boolean there = handlers.containsKey(name)
                    || offered.stream().anyMatch(child -> child.name().equals(name));
            if (!offered.isEmpty() && !there) {
                handlers.put(name, (session, request) -> reply(session.reply(), command, offered));
            }
        }
    }

    private static void reply(ReplyEncoder reply, Command command, List<Command> offered) {
        List<String> lines = new ArrayList<>();
        lines.add(
                command.name().toUpperCase(Locale.ROOT) + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (Command child : offered) {
            lines.add(child.shortName().toUpperCase(Locale.ROOT) + arguments(child));
            lines.add("    " + child.summary());
        }
        lines.add("HELP");
        lines.add("    Prints this help.");
        reply.array(lines.size());
        lines.forEach(reply::status);
    }

    /** Returns a placeholder for each required argument, and one for arguments that may follow. */
    private static String arguments(Command child) {
        return " <arg>".repeat(Math.max(0, Math.abs(child.arity()) - 2)) + (child.arity() < 0 ? " [<arg> ...]" : "");
    }
}
