package dev.larder.serve;

import dev.larder.server.Configuration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a command that are the parameters of a server. On the class path, the command of the array has them as well. */
public final class ParameterOptions {

    private ParameterOptions() {}

    /**
     * Adds an option for each parameter for which the command has none of that name. They are hidden: there are too many.
     *
     * @param without the names of parameters that get no option
     * @param given receives the options that are given: each the name of a parameter, and its value
     */
    public static void add(CommandSpec command, Set<String> without, List<Map.Entry<String, String>> given) {
        for (Configuration.Description parameter : Configuration.parameters()) {
            String name = parameter.name();
            if (!without.contains(name) && command.findOption("--" + name) == null) {
                command.addOption(option(name, given));
            }
        }
    }

    private static OptionSpec option(String name, List<Map.Entry<String, String>> given) {
        return OptionSpec.builder("--" + name)
                .type(String.class)
                .arity("1")
                .hidden(true)
                .setter(new ISetter() {
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
