package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.TimeSpan;
import dev.larder.cli.entry.LineReader;
import dev.larder.cli.output.Counted;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.LarderException;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Appends the lines of the standard input, one message per line. */
@Command(
        name = "append",
        description = "Appends each line of the standard input as one message. All messages are durable when the "
                + "command ends.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  echo hello | larder queue append orders",
            "  larder queue append orders --batch < lines.txt",
            ExitCode.HELP
        })
final class QueueAppendCommand implements Callable<Integer> {

    private static final long MESSAGE_MAX_BYTES = (1L << 30) - 16;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(
            names = "--batch",
            description = "Publish 1 MiB of messages at a time. This is faster, and readers see messages later.")
    private boolean batch;

    @Option(
            names = "--sync",
            paramLabel = "POLICY",
            description = "When messages become durable: none, each (before the next line is read), or an interval "
                    + "such as 100ms (1s).")
    private String sync = "1s";

    private long messages;
    private long bytes;
    private @Nullable Long lastPosition;

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.open(arguments.options().withSync(policy()))) {
            LarderQueue queue = open.queue();
            try (Appender appender = queue.appender()) {
                appendAll(appender);
            }
            report(queue.sync());
        }
        return ExitCode.OK;
    }

    private SyncPolicy policy() {
        try {
            return switch (sync) {
                case "none" -> SyncPolicy.none();
                case "each" -> SyncPolicy.everyAppend();
                default -> SyncPolicy.every(TimeSpan.parse(sync));
            };
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--sync: " + e.getMessage(), e);
        }
    }

    private void appendAll(Appender appender) {
        LineReader lines = new LineReader(Larder.streams(command).in(), MESSAGE_MAX_BYTES);
        try {
            if (batch) {
                appendBatches(lines, appender);
            } else {
                appendSingly(lines, appender);
            }
        } catch (IOException e) {
            throw new LarderException(
                    "cannot read the standard input after " + Counted.of(messages, "message") + ": " + e.getMessage(),
                    e);
        } catch (LarderException e) {
            String count = (batch ? "at most " : "") + messages; // the last messages of a batch may be missing
            throw new LarderException(e.getMessage() + "; messages appended before it: " + count, e);
        }
    }

    private void appendSingly(LineReader lines, Appender appender) throws IOException {
        while (lines.next((source, offset, length) -> count(appender.append(source, offset, length), length))) {
            // each line is counted as it is appended
        }
    }

    private void count(long position, int length) {
        lastPosition = position;
        messages++;
        bytes += length;
    }

    private void appendBatches(LineReader lines, Appender appender) throws IOException {
        try (Batch open = appender.batch()) {
            while (lines.next((source, offset, length) -> {
                open.add(source, offset, length);
                messages++;
                bytes += length;
            })) {
                // each line is counted as it is added
            }
            lastPosition = open.flush();
        }
    }

    private void report(long durablePosition) {
        Figures figures = figures(messages, bytes, messages == 0 ? null : lastPosition);
        print(
                figures.put("durable_position", durablePosition),
                arguments.json(),
                Larder.streams(command).out());
    }

    /** Returns the counts of the appended messages. */
    static Figures figures(long messages, long bytes, @Nullable Long lastPosition) {
        return new Figures().put("messages", messages).put("bytes", bytes).put("last_position", lastPosition);
    }

    static void print(Figures figures, boolean json, PrintStream out) {
        String words = "appended " + Counted.of(figures.whole("messages"), "message") + ", "
                + Counted.of(figures.whole("bytes"), "byte") + "\n";
        out.print(json ? figures.toPrettyJson() : words);
    }
}
