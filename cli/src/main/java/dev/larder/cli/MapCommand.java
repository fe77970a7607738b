package dev.larder.cli;

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
final class MapCommand {}
