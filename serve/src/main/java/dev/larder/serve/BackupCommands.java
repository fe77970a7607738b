package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;

/** Adds {@code larder backup}. */
public final class BackupCommands implements CommandProvider {

    /** Creates the provider, as the service loader does. */
    public BackupCommands() {}

    @Override
    public CommandLine command() {
        return new CommandLine(new BackupCommand());
    }
}
