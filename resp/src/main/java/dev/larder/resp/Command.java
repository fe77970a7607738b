package dev.larder.resp;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A command, or a subcommand.
 *
 * @param name in lower case; of a subcommand {@code parent|name}
 * @param arity how many arguments it takes, its name included; below 0: at least that many
 * @param flags its properties
 * @param categories the groups of an ACL that contain it
 * @param keys which arguments are keys
 * @param group what it belongs to: {@code string}, {@code generic}, {@code stream} ...
 * @param since the first version of Redis that had it
 * @param complexity how its time grows with the data
 * @param summary what it does, in a sentence
 * @param subcommands its subcommands; empty if the first argument is not one
 */
public record Command(
        String name,
        int arity,
        Set<CommandFlag> flags,
        Set<CommandCategory> categories,
        KeyPositions keys,
        String group,
        String since,
        String complexity,
        String summary,
        List<Command> subcommands) {

    /** How many bytes of an unknown command, or of its arguments, an error shows. */
    static final int TEXT_MAX_BYTES = 128;

    /** Returns whether the command takes this number of arguments. */
    public boolean takes(int arguments) {
        return arity < 0 ? arguments >= -arity : arguments == arity;
    }

    /** Returns whether the command has a flag. */
    public boolean is(CommandFlag flag) {
        return flags.contains(flag);
    }

    /** Returns the name of a subcommand without its parent's name; else the name. */
    public String shortName() {
        return name.substring(name.indexOf('|') + 1);
    }

    /** Returns the error for a request with too few arguments, or too many. */
    public String wrongArity() {
        return "ERR wrong number of arguments for '" + name + "' command";
    }

    /** Returns the error for a request whose first argument is an unknown subcommand; the name is cut as Redis cuts it. */
    public String unknownSubcommand(Request request) {
        return "ERR unknown subcommand '" + request.text(1, TEXT_MAX_BYTES) + "'. Try " + name.toUpperCase(Locale.ROOT)
                + " HELP.";
    }
}
