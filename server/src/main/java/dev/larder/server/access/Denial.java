package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.Request;

/**
 * Why a user may not run a command. The texts are those of Redis 7.0.
 *
 * @param kind what is not allowed
 * @param object the name of the command, the key or the channel
 * @param argument the argument that names the key or channel; 0 for a command
 */
public record Denial(Kind kind, String object, int argument) {

    /** What is not allowed, in the order in which it is checked. */
    public enum Kind {
        /** The command itself. */
        COMMAND("command", "no permission to execute the command or subcommand"),
        /** One of its keys. */
        KEY("key", "no permission to touch the specified keys"),
        /** One of its channels. */
        CHANNEL("channel", "no permission to access one of the channels used as arguments");

        private final String text;
        private final String withinTransaction;

        Kind(String text, String withinTransaction) {
            this.text = text;
            this.withinTransaction = withinTransaction;
        }

        /** Returns its name in the log. */
        public String text() {
            return text;
        }
    }

    static Denial ofCommand(Command command) {
        return new Denial(Kind.COMMAND, command.name(), 0);
    }

    static Denial of(Kind kind, Request request, int argument) {
        return new Denial(kind, request.text(argument), argument);
    }

    boolean isBehind(Denial other) {
        int order = kind.compareTo(other.kind);
        return order > 0 || (order == 0 && argument > other.argument);
    }

    /** Returns the error reply. */
    public String reply() {
        return switch (kind) {
            case COMMAND -> "NOPERM this user has no permissions to run the '" + object + "' command";
            case KEY -> "NOPERM this user has no permissions to access one of the keys used as arguments";
            case CHANNEL -> "NOPERM this user has no permissions to access one of the channels used as arguments";
        };
    }

    /** Returns the error reply of a command that was allowed when it was queued. */
    public String replyWithinTransaction() {
        return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. This"
                + " command is no longer allowed for the following reason: " + kind.withinTransaction;
    }

    /** Returns the reply of {@code ACL DRYRUN}. */
    public String description() {
        return kind == Kind.COMMAND
                ? "This user has no permissions to run the '" + object + "' command"
                : "This user has no permissions to access the '" + object + "' " + kind.text;
    }
}
