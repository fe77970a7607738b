package dev.larder.cli.queue;

import dev.larder.cli.CommandProvider;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that work on a queue. */
@Command(
        name = "queue",
        description = "Creates, fills, reads, checks and copies queues.",
        subcommands = {
            QueueCreateCommand.class,
            QueueAppendCommand.class,
            QueueTailCommand.class,
            QueueInfoCommand.class,
            QueueShellCommand.class,
            QueueTailersCommand.class,
            QueueVerifyCommand.class,
            QueueExportCommand.class,
            QueueImportCommand.class,
            QueueCopyCommand.class,
            QueueServeCommand.class,
            QueueReplicateCommand.class,
            QueueRepairCommand.class,
            QueueUpgradeCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class QueueCommand implements CommandProvider {

    @Override
    public CommandLine command() {
        return new CommandLine(this);
    }
}
