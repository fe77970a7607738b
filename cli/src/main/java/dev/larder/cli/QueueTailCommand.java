package dev.larder.cli;

import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the messages of a queue. */
@Command(
        name = "tail",
        description =
                "Prints messages: each as it is, with a line feed; or with --json one object a line, with position,"
                        + " length, and text (base64 where the bytes are not UTF-8). Changes nothing.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class QueueTailCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(500);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(
            names = {"-f", "--follow"},
            description = "Wait for further messages at the end; Ctrl-C ends it.")
    private boolean follow;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            description = "Print at most so many messages.")
    private long count = Long.MAX_VALUE;

    @Option(names = "--from", paramLabel = "start|end|POSITION", description = "Where to begin (${DEFAULT-VALUE}).")
    private String from = "start";

    @Override
    public Integer call() {
        if (count < 0) {
            throw new ParameterException(command.commandLine(), "--count " + count + " is negative");
        }
        try (LarderQueue queue = arguments.openExisting(arguments.options().withReadOnly(true));
                Tailer tailer = queue.tailer()) {
            move(tailer);
            print(tailer);
        }
        return ExitCode.OK;
    }

    private void move(Tailer tailer) {
        switch (from) {
            case "start" -> tailer.toStart();
            case "end" -> tailer.toEnd();
            default -> moveTo(tailer);
        }
    }

    private void moveTo(Tailer tailer) {
        try {
            tailer.moveTo(Long.parseLong(from));
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    command.commandLine(), "--from '" + from + "' is not start, end or a position (a whole number)", e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--from " + from + ": " + e.getMessage(), e);
        }
    }

    /** Prints until the end, the count, Ctrl-C, or nobody reads any more ({@code | head}). */
    private void print(Tailer tailer) {
        PrintStream out = Larder.streams(command).out();
        MessagePrinter printer = new MessagePrinter(out, arguments.json());
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

    /** Waits for the next message; what was printed is flushed first, so that a reader downstream sees it. */
    private static boolean await(Tailer tailer, MessagePrinter printer, PrintStream out) {
        try {
            while (!out.checkError()) { // flushes, and notices a reader that went away
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
