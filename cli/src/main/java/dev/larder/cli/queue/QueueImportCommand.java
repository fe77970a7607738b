package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.JsonImport;
import dev.larder.cli.output.Counted;
import dev.larder.cli.output.ProgressBar;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Appends the messages of an export. */
@Command(
        name = "import",
        description = "Appends the messages of an export, JSON lines or --binary, to a queue. Creates a missing "
                + "queue. Messages get new positions. If a line is damaged, the messages before it stay appended.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue import orders < orders.json",
            "  larder queue import orders --binary --from orders.bin",
            ExitCode.HELP
        })
final class QueueImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(names = "--binary", description = "Read a stream of bytes instead of JSON lines.")
    private boolean binary;

    @Option(names = "--from", paramLabel = "FILE", description = "The file to read (the standard input).")
    private @Nullable Path from;

    @Override
    public Integer call() {
        if (from != null && !Files.exists(from)) {
            throw new LarderException("there is no file " + from); // checked before a queue is created for it
        }
        try (LarderQueue queue = arguments.openOrCreate(arguments.options())) {
            report(read(queue), queue.sync());
            return ExitCode.OK;
        } catch (IOException e) {
            throw new LarderException("cannot read the export: " + FailureReason.of(e), e);
        }
    }

    private long read(LarderQueue queue) throws IOException {
        if (from == null) {
            return read(queue, Larder.streams(command).in(), "the standard input");
        }
        try (ProgressBar bar = new ProgressBar("import", Larder.streams(command));
                InputStream file = new BufferedInputStream(bar.reading(Files.newInputStream(from), Files.size(from)))) {
            return read(queue, file, from.toString());
        }
    }

    private long read(LarderQueue queue, InputStream in, String name) throws IOException {
        return binary ? QueueCopy.read(in, name, queue) : new JsonImport(queue, name).read(in);
    }

    private void report(long messages, long durablePosition) {
        Figures figures = new Figures().put("messages", messages).put("durable_position", durablePosition);
        Larder.streams(command)
                .out()
                .print(
                        arguments.json()
                                ? figures.toPrettyJson()
                                : "appended " + Counted.of(messages, "message") + "\n");
    }
}
