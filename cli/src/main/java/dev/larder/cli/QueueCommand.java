package dev.larder.cli;

import picocli.CommandLine.Command;

/** The commands that work on a queue. */
@Command(
        name = "queue",
        description = "Creates, fills, reads and checks queues.",
        subcommands = {
            QueueCreateCommand.class,
            QueueAppendCommand.class,
            QueueTailCommand.class,
            QueueInfoCommand.class,
            QueueVerifyCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class QueueCommand {}
