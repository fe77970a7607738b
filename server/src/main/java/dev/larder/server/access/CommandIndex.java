package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/** A number for each command and subcommand, offered or not, so that a set of commands is a set of bits. */
final class CommandIndex {

    private static final IdentityHashMap<Command, Integer> NUMBERS = new IdentityHashMap<>();
    private static final List<Command> ALL = new ArrayList<>();

    static {
        for (Command command : CommandTable.withNotOffered().all()) {
            add(command);
            command.subcommands().forEach(CommandIndex::add);
        }
    }

    private CommandIndex() {}

    private static void add(Command command) {
        NUMBERS.put(command, ALL.size());
        ALL.add(command);
    }

    static int of(Command command) {
        return Objects.requireNonNull(NUMBERS.get(command), command.name());
    }

    /** Returns the bit behind all commands, which tells whether commands of later versions are allowed. */
    static int ofLaterCommands() {
        return ALL.size();
    }

    static List<Command> all() {
        return ALL;
    }
}
