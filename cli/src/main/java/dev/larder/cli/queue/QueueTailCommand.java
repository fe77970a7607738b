package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.MessagePrinter;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the messages of a queue. */
@Command(
        name = "tail",
        description = "Prints messages, one per line: text as it is, a typed message as its name and its value. With "
                + "--json each line is an object. Changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue tail orders -n 3",
            "  larder queue tail orders --follow",
            "  larder queue tail orders --from start --count 10 --json",
            "  larder queue tail orders --from 2026-01-31T12:00:00Z",
            ExitCode.HELP
        })
final class QueueTailCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(500);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(
            names = {"-f", "--follow"},
            description = "Wait for more messages, until Ctrl-C. Begins at the end, unless --from or --last is given.")
    private boolean follow;

    @Option(names = "--count", paramLabel = "COUNT", description = "Print at most this many messages.")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--from",
            paramLabel = QueuePlace.LABEL,
            description = "Where to begin (start; with --follow, end): a position as --json prints it or as 3:8192; #"
                + " and a sequence (the number of messages before it); or a time such as 2026-01-31T12:00:00Z, before"
                + " which up to 1 MiB of messages may be printed.")
    private @Nullable String from;

    @Option(
            names = {"-n", "--last"},
            paramLabel = "COUNT",
            description = "Print only this many messages, the last ones.")
    private @Nullable Integer last;

    @Override
    public Integer call() {
        check();
        try (OpenQueue open = arguments.openToRead();
                Tailer tailer = open.queue().tailer()) {
            move(tailer);
            print(open.queue(), tailer);
        }
        return ExitCode.OK;
    }

    private void check() {
        if (count < 0) {
            throw new ParameterException(command.commandLine(), "--count " + count + " is negative");
        }
        if (last != null && last < 0) {
            throw new ParameterException(command.commandLine(), "--last " + last + " is negative");
        }
        if (last != null && from != null) {
            throw new ParameterException(command.commandLine(), "--from and --last both say where to begin");
        }
    }

    private void move(Tailer tailer) {
        if (last != null) {
            tailer.toEnd().drainBackward((segment, offset, length) -> {}, last);
        } else {
            QueuePlace.move(tailer, "--from", from == null ? (follow ? "end" : "start") : from, command);
        }
    }

    /** Prints until the end, the count or Ctrl-C, or until the output's reader stops ({@code | head}). */
    private void print(LarderQueue queue, Tailer tailer) {
        PrintStream out = Larder.streams(command).out();
        MessagePrinter printer = new MessagePrinter(queue, out, arguments.json());
        for (long left = count; left > 0; left--) {
            printer.at(tailer.position());
            if (!tailer.poll(printer) && !(follow && await(tailer, printer, out))) {
                break;
            }
            if (printer.isClosed()) {
                return;
            }
        }
        out.flush();
    }

    /** Waits for the next message. It first flushes the output, so that a downstream reader sees it. */
    private static boolean await(Tailer tailer, MessagePrinter printer, PrintStream out) {
        try {
            while (!out.checkError()) { // flushes, and detects a reader that is gone
                printer.at(tailer.position());
                if (tailer.poll(printer, LOOK)) {
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted while waiting for messages", e);
        }
    }
}
