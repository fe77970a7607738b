package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;

/** Adds {@code larder serve}. */
public final class ServeCommands implements CommandProvider {

    /** The provider, as the service loader makes it. */
    public ServeCommands() {}

    @Override
    public CommandLine command() {
        return new CommandLine(new ServeCommand());
    }
}
