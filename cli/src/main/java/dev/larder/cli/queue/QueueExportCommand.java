package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.cli.output.OwnerFile;
import dev.larder.cli.output.ProgressBar;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the messages of a queue as JSON lines, or as a stream of bytes. */
@Command(
        name = "export",
        description = {
            "Writes all messages from a position on. Each is a line of JSON: text, a typed message "
                    + "with its schema, or base64. With --binary they are a stream of bytes with a checksum "
                    + "each. Changes nothing.",
            "'larder queue import' reads both. JSON lines have no end mark: only exit code 0 shows that the export is "
                    + "complete. A stream of bytes has an end mark, and import checks it."
        },
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue export orders > orders.json",
            "  larder queue export orders --binary --to orders.bin",
            ExitCode.HELP
        })
final class QueueExportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(names = "--binary", description = "Write a stream of bytes instead of JSON lines.")
    private boolean binary;

    @Option(
            names = "--from",
            paramLabel = QueuePlace.LABEL,
            description = "Where to begin (${DEFAULT-VALUE}), as in 'larder queue tail'.")
    private String from = "start";

    @Option(names = "--to", paramLabel = "FILE", description = "The new file to write (the standard output).")
    private @Nullable Path to;

    @Override
    public Integer call() {
        if (binary && arguments.json()) {
            throw new ParameterException(command.commandLine(), "--binary and --json cannot be given together");
        }
        try (OpenQueue open = arguments.openToRead();
                Tailer tailer = open.queue().tailer()) {
            QueuePlace.move(tailer, "--from", from, command);
            write(open.queue(), tailer);
            return ExitCode.OK;
        } catch (IOException e) {
            if (to == null && Larder.streams(command).out().isUnread()) {
                return ExitCode.ERROR; // the export is incomplete, because its reader stopped
            }
            throw new LarderException("cannot write the export: " + FailureReason.of(e), e);
        }
    }

    private void write(LarderQueue queue, Tailer tailer) throws IOException {
        if (to == null) {
            OutputStream out = Larder.streams(command).out().strict();
            write(queue, tailer, out);
            out.flush();
        } else {
            try (ProgressBar _ = ProgressBar.asking("export", Larder.streams(command), to.toFile()::length);
                    OutputStream file = OwnerFile.create(to)) {
                write(queue, tailer, file);
            } catch (FileAlreadyExistsException e) {
                throw new LarderException(to + ": exists already; name a new file", e);
            }
        }
    }

    private void write(LarderQueue queue, Tailer tailer, OutputStream out) throws IOException {
        if (binary) {
            QueueCopy.write(queue, tailer, out);
            return;
        }
        JsonMessages messages = new JsonMessages(queue);
        while (tailer.poll(messages.at(tailer.position()))) {
            for (String line : messages.lines()) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            }
        }
    }
}
