package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.output.RecordOutput;
import dev.larder.map.StoredMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the state of a map. */
@Command(
        name = "info",
        description = "Prints entries, index, positions and size of a map. The figures are current if the command can "
                + "see the processes that have the map open. Otherwise they are as of the last checkpoint. Changes "
                + "nothing.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map info stock", ExitCode.HELP})
final class MapInfoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Override
    public Integer call() {
        try (StoredMap map = arguments.look()) {
            RecordOutput.print(
                    figures(map.info()),
                    arguments.json(),
                    Larder.streams(command).out());
        }
        return ExitCode.OK;
    }

    /** Returns the figures of a map, followed by the figures of its parts, such as its log. */
    static Figures figures(Record info) {
        Figures figures = RecordOutput.figures(info);
        Figures flat = new Figures();
        for (String name : figures.names()) {
            if (figures.get(name) instanceof Figures part) {
                flat.putAll(part);
            } else {
                flat.put(name, figures.get(name));
            }
        }
        return flat;
    }
}
