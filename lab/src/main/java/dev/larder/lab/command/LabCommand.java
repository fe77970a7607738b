package dev.larder.lab.command;

import picocli.CommandLine.Command;

/** The experiments. */
@Command(
        name = "lab",
        description = "Runs experiments: every claim is a command.",
        subcommands = {
            LabAgentCommand.class,
            LabBuffersCommand.class,
            LabDatabaseCommand.class,
            LabHeapCommand.class,
            LabLatencyCommand.class,
            LabLoadCommand.class,
            LabMapCommand.class,
            LabQueueCommand.class,
            LabReportCommand.class,
            LabSearchCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "EXPERIMENT")
final class LabCommand {}
