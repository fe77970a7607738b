package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Handler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands that this server has: those of the table that have a handler. Immutable. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class KnownCommands {

    private final CommandTable table = CommandTable.standard();
    private final IdentityHashMap<Command, KnownCommand> known = new IdentityHashMap<>();
    private final List<Command> commands = new ArrayList<>();
    private final Set<Command> offered = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Creates the commands on keys, and those of some handlers by their names. */
    KnownCommands(Map<String, SessionHandler> handlers) {
        for (Command command : table.all()) {
            boolean any = add(command, handlers);
            for (Command subcommand : command.subcommands()) {
                any |= add(subcommand, handlers);
            }
            if (any) {
                commands.add(command);
                offered.add(command);
            }
        }
    }

    private boolean add(Command command, Map<String, SessionHandler> handlers) {
        Handler onKeys = Commands.handler(command);
        SessionHandler onSession = handlers.get(command.name());
        if (onKeys != null || onSession != null) {
            known.put(command, new KnownCommand(command, onKeys, onSession));
        }
        return onKeys != null || onSession != null;
    }

    /** Returns the commands, each with its subcommands. */
    public List<Command> all() {
        return commands;
    }

    /** Returns the table, which may have commands that this server does not have. */
    public CommandTable table() {
        return table;
    }

    /** Returns the command with a name, or the subcommand {@code parent|name}; null if this server does not have it. */
    public @Nullable Command find(String name) {
        Command command = table.find(name);
        return command != null && (known.containsKey(command) || offered.contains(command)) ? command : null;
    }

    /** Returns a command with its handler; null if this server does not have it. */
    public @Nullable KnownCommand known(Command command) {
        return known.get(command);
    }

    /** Returns all commands with a handler. */
    public List<KnownCommand> allKnown() {
        return List.copyOf(known.values());
    }

    /**
     * Returns the command that a request names, or its subcommand.
     *
     * @throws ReplyException if there is none
     */
    KnownCommand find(Request request) {
        Command command = table.find(request);
        if (command == null || !offered.contains(command)) {
            throw new ReplyException(CommandTable.unknownCommand(request));
        }
        if (command.subcommands().isEmpty() || (request.count() == 1 && known.containsKey(command))) {
            return orUnknown(known.get(command), request);
        }
        if (request.count() == 1) {
            throw new ReplyException(command.wrongArity());
        }
        Command subcommand = table.findSubcommand(command, request);
        if (subcommand == null || !known.containsKey(subcommand)) {
            throw new ReplyException(command.unknownSubcommand(request));
        }
        return orUnknown(known.get(subcommand), request);
    }

    private static KnownCommand orUnknown(@Nullable KnownCommand found, Request request) {
        if (found == null) {
            throw new ReplyException(CommandTable.unknownCommand(request));
        }
        return found;
    }
}
