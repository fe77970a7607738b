package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;

/** The reply to {@code HELP} of a command with subcommands, in the form that Redis gives it. */
final class HelpText {

    private HelpText() {}

    /** Writes the reply: a first line, the lines of the subcommands, and those of {@code HELP} itself. */
    static void write(ReplyEncoder reply, String container, String... lines) {
        reply.array(lines.length + 3L);
        reply.status(container + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (String line : lines) {
            reply.status(line);
        }
        reply.status("HELP");
        reply.status("    Prints this help.");
    }

    /** Returns the error for a wrong number of a subcommand's arguments that its arity does not show. */
    static ReplyException wrongArguments(String container, String subcommand) {
        return new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + subcommand + "'. Try "
                + container + " HELP.");
    }
}
