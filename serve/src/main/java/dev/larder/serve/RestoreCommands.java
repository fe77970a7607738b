package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;

/** Adds {@code larder restore}. */
public final class RestoreCommands implements CommandProvider {

    /** Creates the provider, as the service loader does. */
    public RestoreCommands() {}

    @Override
    public CommandLine command() {
        return new CommandLine(new RestoreCommand());
    }
}
