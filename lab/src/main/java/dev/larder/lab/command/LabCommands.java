package dev.larder.lab.command;

import dev.larder.cli.CommandProvider;
import dev.larder.cli.Larder;
import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.search.SearchDirectory;
import picocli.CommandLine;

/** Adds {@code larder lab}. */
public final class LabCommands implements CommandProvider {

    /** The provider, as the service loader makes it. */
    public LabCommands() {}

    @Override
    public CommandLine command() {
        return new CommandLine(new LabCommand())
                .registerConverter(AgentAddress.class, Larder.converter(AgentAddress::parse))
                .registerConverter(FailCondition.class, Larder.converter(FailCondition::parse))
                .registerConverter(SearchDirectory.class, Larder.converter(SearchDirectory::named));
    }
}
