package dev.larder.server.command;

import dev.larder.resp.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handlers of all commands on keys, by the command's name. Immutable. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Commands {

    private static final Map<String, Handler> ALL = all(List.of(
            BitCommands.all(),
            ClaimCommands.all(),
            DumpCommands.all(),
            ExpireCommands.all(),
            GroupCommands.all(),
            KeyCommands.all(),
            MemoryUsage.all(),
            PendingCommands.all(),
            ReadCommands.all(),
            ScanCommands.all(),
            StreamCommands.all(),
            StreamInfoCommands.all(),
            StringCommands.all()));

    private Commands() {}

    private static Map<String, Handler> all(List<Map<String, Handler>> families) {
        Map<String, Handler> all = new HashMap<>();
        families.forEach(family -> family.forEach((name, handler) -> {
            if (all.put(name, handler) != null) {
                throw new IllegalStateException(name + " has two handlers");
            }
        }));
        return Map.copyOf(all);
    }

    /** Returns the handler of a command; null if it does not work on keys. */
    public static @Nullable Handler handler(Command command) {
        return ALL.get(command.name());
    }
}
