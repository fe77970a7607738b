package dev.larder.lab.command;

import picocli.CommandLine.Command;

/** The experiments. */
@Command(
        name = "lab",
        description = "Runs experiments that measure Larder.",
        subcommands = {LabPlayCommand.class, LabReportCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "EXPERIMENT")
final class LabCommand {}
