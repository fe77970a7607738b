package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.queue.LarderQueue;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drops a named tailer. */
@Command(
        name = "drop",
        description = "Removes a named tailer that no process uses. It no longer holds back messages.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue tailers drop orders billing", ExitCode.HELP})
final class TailersDropCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the tailer.")
    private String name = "";

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.open(arguments.options())) {
            LarderQueue queue = open.queue();
            TailerNames.require(queue, name, arguments.directory());
            queue.dropTailer(name);
        }
        Larder.streams(command)
                .out()
                .print(arguments.json() ? new Figures().put("dropped", name).toPrettyJson() : "dropped " + name + "\n");
        return ExitCode.OK;
    }
}
