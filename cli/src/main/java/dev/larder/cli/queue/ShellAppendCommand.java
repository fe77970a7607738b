package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.JsonMessages;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Appends the words of a shell's line, each as one message. */
@Command(
        name = "append",
        description = "Appends messages of text, each a word. Put a message with blanks between quotes.",
        mixinStandardHelpOptions = true)
final class ShellAppendCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "MESSAGE",
            description = "A message. Write -- before one that begins with -.")
    private List<String> messages = List.of();

    @Override
    public Integer call() {
        try (OpenQueue open = arguments.open(arguments.options())) {
            long bytes = 0;
            long position = 0;
            for (String message : messages) {
                byte[] text = JsonMessages.utf8(message);
                position = open.queue().append(text);
                bytes += text.length;
            }
            QueueAppendCommand.print(
                    QueueAppendCommand.figures(messages.size(), bytes, position),
                    arguments.json(),
                    Larder.streams(command).out());
            return ExitCode.OK;
        }
    }
}
