package dev.larder.arraycli;

import dev.larder.cli.ExitCode;
import picocli.CommandLine.Command;

/** The commands of an array. */
@Command(
        name = "array",
        description = "Runs several servers as one array, which stores each key on several of them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = ExitCode.HELP)
final class ArrayCommand {}
