package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;

/** Adds {@code larder serve}, which has an option for each parameter of a server. */
public final class ServeCommands implements CommandProvider {

    /** Creates the provider, as the service loader does. */
    public ServeCommands() {}

    @Override
    public CommandLine command() {
        List<Map.Entry<String, String>> given = new ArrayList<>();
        CommandLine line = new CommandLine(new ServeCommand(given));
        ParameterOptions.add(line.getCommandSpec(), Set.of(), given);
        return line;
    }
}
