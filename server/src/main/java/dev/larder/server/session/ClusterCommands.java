package dev.larder.server.session;

import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyException;
import java.util.HashMap;
import java.util.Map;

/** {@code CLUSTER} and related commands on a server that runs alone: they are refused, with the errors that clients know. */
final class ClusterCommands {

    /** The handler of a command that a server which runs alone does not offer. */
    static final SessionHandler REFUSED = (session, request) -> {
        throw new ReplyException("ERR This instance has cluster support disabled");
    };

    private ClusterCommands() {}

    static Map<String, SessionHandler> all() {
        Map<String, SessionHandler> all = new HashMap<>();
        CommandTable.standard().all().stream()
                .filter(command -> command.name().equals("cluster"))
                .flatMap(command -> command.subcommands().stream())
                .forEach(subcommand -> all.put(subcommand.name(), REFUSED));
        all.put("readonly", REFUSED);
        all.put("readwrite", REFUSED);
        return all;
    }
}
