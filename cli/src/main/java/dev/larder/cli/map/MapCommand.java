package dev.larder.cli.map;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that work on a map. */
@Command(
        name = "map",
        description = "Creates, changes, reads, checks and repairs maps.",
        subcommands = {
            MapCreateCommand.class,
            MapGetCommand.class,
            MapPutCommand.class,
            MapRemoveCommand.class,
            MapScanCommand.class,
            MapShellCommand.class,
            MapInfoCommand.class,
            MapVerifyCommand.class,
            MapRepairCommand.class,
            MapCompactCommand.class,
            MapExportCommand.class,
            MapImportCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class MapCommand implements CommandProvider {

    @Override
    public CommandLine command() {
        return new CommandLine(this);
    }
}
