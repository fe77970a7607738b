package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandTable;
import dev.larder.resp.Request;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The allowed commands: a bit for each, and the allowed first arguments of commands that are denied otherwise. */
final class CommandRules {

    private static final String UNKNOWN = "Unknown command or category name in ACL";

    private final BitSet allowed;
    private final Map<Command, Set<String>> firstArguments;
    private boolean all;

    CommandRules() {
        this(new BitSet(), new LinkedHashMap<>(), false);
    }

    private CommandRules(BitSet allowed, Map<Command, Set<String>> firstArguments, boolean all) {
        this.allowed = allowed;
        this.firstArguments = firstArguments;
        this.all = all;
    }

    CommandRules copy() {
        Map<Command, Set<String>> arguments = new LinkedHashMap<>();
        firstArguments.forEach((command, some) -> arguments.put(command, new LinkedHashSet<>(some)));
        return new CommandRules((BitSet) allowed.clone(), arguments, all);
    }

    /** Returns whether all commands were allowed, and none was denied since. */
    boolean isAll() {
        return all;
    }

    boolean allowsLater() {
        return allowed.get(CommandIndex.ofLaterCommands());
    }

    boolean allows(Command command) {
        return allowed.get(CommandIndex.of(command));
    }

    Set<String> firstArguments(Command command) {
        return firstArguments.getOrDefault(command, Set.of());
    }

    boolean allows(Command command, Request request) {
        if (all || allows(command)) {
            return true;
        }
        return !firstArguments.isEmpty()
                && request.count() > 1
                && firstArguments(command).stream().anyMatch(one -> request.is(1, one));
    }

    void setAll(boolean allow) {
        allowed.set(0, CommandIndex.ofLaterCommands() + 1, allow);
        firstArguments.clear();
        all = allow;
    }

    void set(CommandCategory category, boolean allow) {
        all &= allow;
        for (Command command : CommandIndex.all()) {
            if (command.categories().contains(category)) {
                setWithin(command, allow);
            }
        }
    }

    void set(Command command, boolean allow) {
        all &= allow;
        setWithin(command, allow);
    }

    private void setWithin(Command command, boolean allow) {
        allowed.set(CommandIndex.of(command), allow);
        firstArguments.remove(command);
        command.subcommands().forEach(subcommand -> setWithin(subcommand, allow));
    }

    /** Applies a rule that begins with {@code +} or {@code -}. */
    void apply(String rule) {
        boolean allow = rule.charAt(0) == '+';
        String name = rule.substring(1).toLowerCase(Locale.ROOT);
        if (name.equals("@all")) {
            setAll(allow);
        } else if (name.startsWith("@")) {
            set(category(name.substring(1)), allow);
        } else {
            applyToCommand(name, rule.substring(1), allow);
        }
    }

    private void applyToCommand(String name, String asGiven, boolean allow) {
        Command command = CommandTable.withNotOffered().find(name);
        if (command != null) {
            set(command, allow);
            return;
        }
        int at = name.lastIndexOf('|');
        @Nullable Command parent = at < 0 ? null : CommandTable.withNotOffered().find(name.substring(0, at));
        if (parent == null || at == name.length() - 1) {
            throw new RuleException(at == name.length() - 1 && parent != null ? RuleException.SYNTAX : UNKNOWN);
        }
        if (parent.name().contains("|")) {
            throw new RuleException("Allowing first-arg of a subcommand is not supported");
        }
        if (!allow || !parent.subcommands().isEmpty()) {
            throw new RuleException(UNKNOWN);
        }
        firstArguments
                .computeIfAbsent(parent, key -> new LinkedHashSet<>())
                .add(asGiven.substring(at + 1).toLowerCase(Locale.ROOT));
    }

    static CommandCategory category(String name) {
        for (CommandCategory category : CommandCategory.values()) {
            if (category.text().equals(name)) {
                return category;
            }
        }
        throw new RuleException(UNKNOWN);
    }
}
