package dev.larder.cli.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Columns;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.output.Printable;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.Position;
import dev.larder.queue.TailerInfo;
import java.io.PrintStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the positions of a queue's named tailers. */
@Command(
        name = "list",
        description = "Lists each named tailer: its position, how far it is behind, and the process that uses it. The "
                + "command opens the queue for writing: only then does it know which processes have ended. With "
                + "--read-only it changes no file, but may list a process that was killed.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue tailers list orders", ExitCode.HELP})
final class TailersListCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(names = "--read-only", description = "Change no file, and take no lock.")
    private boolean readOnly;

    @Override
    public Integer call() {
        try (OpenQueue open = readOnly ? arguments.openToRead() : arguments.openAsFarAsAllowed()) {
            print(open.queue().tailers(), Larder.streams(command).out());
        }
        return ExitCode.OK;
    }

    private void print(List<TailerInfo> tailers, PrintStream out) {
        if (arguments.json()) {
            List<Figures> all = tailers.stream().map(RecordOutput::figures).toList();
            out.print(new Figures().put("tailers", all).toPrettyJson());
        } else {
            lines(tailers).forEach(out::println);
        }
        out.flush();
    }

    private static List<String> lines(List<TailerInfo> tailers) {
        if (tailers.isEmpty()) {
            return List.of("no named tailers");
        }
        Columns columns = new Columns("NAME", ">POSITION", ">SEQUENCE", ">BEHIND", ">BYTES", "PROCESS");
        for (TailerInfo tailer : tailers) {
            columns.row(
                    Printable.text(tailer.name()),
                    Position.toString(tailer.position()),
                    number(tailer.sequence()),
                    number(tailer.lagMessages()),
                    ByteSize.format(tailer.lagBytes()),
                    owner(tailer));
        }
        return columns.lines();
    }

    /** Returns a number; a question mark if damage hides it. */
    private static String number(OptionalLong known) {
        return known.isPresent() ? Long.toString(known.getAsLong()) : "?";
    }

    private static String owner(TailerInfo tailer) {
        return tailer.processId()
                .map(process ->
                        "process " + process + " since " + tailer.since().orElseThrow())
                .or(() -> tailer.absentSince().map(since -> "none since " + since))
                .orElse("none");
    }
}
