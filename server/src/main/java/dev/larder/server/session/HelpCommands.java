package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.server.command.Commands;
import java.util.HashMap;
import java.util.Map;

/** {@code HELP} of each command with subcommands: it lists those that this server offers. */
final class HelpCommands {

    private HelpCommands() {}

    /** Adds a handler for each command that has any subcommand. A command that is refused as a whole refuses its help too. */
    static void addTo(Map<String, SessionHandler> handlers) {
        for (Command command : CommandTable.standard().all()) {
            Map<String, String> summaries = new HashMap<>();
            boolean isRefused = false;
            for (Command child : command.subcommands()) {
                SessionHandler handler = handlers.get(child.name());
                boolean isRefusal = ClusterCommands.REFUSED.equals(handler);
                isRefused |= isRefusal;
                if (Commands.handler(child) != null || (handler != null && !isRefusal)) {
                    summaries.put(child.shortName(), child.summary());
                }
            }
            String name = command.name() + "|help";
            if (!summaries.isEmpty()) {
                handlers.put(
                        name, (session, request) -> HelpText.write(session.reply(), command.name(), summaries::get));
            } else if (isRefused) {
                handlers.put(name, ClusterCommands.REFUSED);
            }
        }
    }
}
