package dev.larder.serve;

import dev.larder.cli.CommandProvider;
import dev.larder.server.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds {@code larder serve}, which has an option for each parameter of a server. */
public final class ServeCommands implements CommandProvider {

    /** The provider, as the service loader makes it. */
    public ServeCommands() {}

    @Override
    public CommandLine command() {
        List<Map.Entry<String, String>> given = new ArrayList<>();
        CommandLine line = new CommandLine(new ServeCommand(given));
        CommandSpec spec = line.getCommandSpec();
        for (Configuration.Description parameter : Configuration.parameters()) {
            if (spec.findOption("--" + parameter.name()) == null) {
                spec.addOption(option(parameter.name(), given));
            }
        }
        return line;
    }

    private static OptionSpec option(String name, List<Map.Entry<String, String>> given) {
        return OptionSpec.builder("--" + name)
                .type(String.class)
                .arity("1")
                .hidden(true)
                .setter(new CommandLine.Model.ISetter() {
                    @Override
                    public <T> T set(T value) {
                        if (value != null) { // null: the option was not given
                            given.add(Map.entry(name, value.toString()));
                        }
                        return value;
                    }
                })
                .build();
    }
}
