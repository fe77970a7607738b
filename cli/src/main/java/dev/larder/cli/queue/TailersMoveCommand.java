package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves a named tailer. */
@Command(
        name = "move",
        description = "Moves a named tailer that no process uses. Messages before its new position count as read.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue tailers move orders billing --to start",
            "  larder queue tailers move orders billing --to '#1000'",
            ExitCode.HELP
        })
final class TailersMoveCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the tailer.")
    private String name = "";

    @Option(
            names = "--to",
            required = true,
            paramLabel = QueuePlace.LABEL,
            description = "The new position: a position as list prints it, # and a sequence, or a time "
                    + "such as 2026-01-31T12:00:00Z.")
    private String to = "";

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.open(arguments.options())) {
            LarderQueue queue = open.queue();
            TailerNames.require(queue, name, arguments.directory());
            long position = move(queue);
            queue.sync();
            report(position);
        }
        return ExitCode.OK;
    }

    private long move(LarderQueue queue) {
        try (Tailer tailer = queue.tailer(name, Commit.EXPLICIT)) {
            QueuePlace.move(tailer, "--to", to, command);
            tailer.commit();
            return tailer.position();
        }
    }

    private void report(long position) {
        Larder.streams(command)
                .out()
                .print(
                        arguments.json()
                                ? new Figures()
                                        .put("name", name)
                                        .put("position", position)
                                        .toPrettyJson()
                                : name + " stands at position " + position + "\n");
    }
}
