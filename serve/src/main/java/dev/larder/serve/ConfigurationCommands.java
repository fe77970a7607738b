package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;

/** Adds {@code larder config}. */
public final class ConfigurationCommands implements CommandProvider {

    /** Creates the provider, as the service loader does. */
    public ConfigurationCommands() {}

    @Override
    public CommandLine command() {
        return new CommandLine(new ConfigurationCommand());
    }
}
