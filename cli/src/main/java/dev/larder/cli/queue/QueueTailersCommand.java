package dev.larder.cli.queue;

import picocli.CommandLine.Command;

/** The commands that work on the named tailers of a queue. */
@Command(
        name = "tailers",
        description = "Lists, moves and drops the named tailers of a queue.",
        subcommands = {TailersListCommand.class, TailersMoveCommand.class, TailersDropCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class QueueTailersCommand {}
