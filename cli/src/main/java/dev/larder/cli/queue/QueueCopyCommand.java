package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.cli.HostAndPort;
import dev.larder.cli.Larder;
import dev.larder.cli.output.Counted;
import dev.larder.cli.output.ProgressBar;
import dev.larder.log.LogOptions;
import dev.larder.memory.LarderException;
import dev.larder.queue.CopyScope;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.RemoteQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a queue into another directory, from this host or another. */
@Command(
        name = "copy",
        description = {
            "Copies messages into another queue, each exactly once. If the command is killed, run it again: it "
                    + "continues. SOURCE is a directory, or HOST:PORT of 'larder queue serve'. The copy is an "
                    + "ordinary queue with its own positions. Nothing else may append to it.",
        },
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue copy orders orders-copy",
            "  larder queue copy otherhost:7340 orders-copy --follow",
            ExitCode.HELP
        })
final class QueueCopyCommand implements Callable<Integer> {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "SOURCE", description = "A queue's directory, or HOST:PORT.")
    private String source = "";

    @Parameters(
            index = "1",
            paramLabel = "TARGET",
            description = "The directory of the copy: a new one, or that of this copy.")
    private Path target = Path.of("");

    @Option(
            names = {"-f", "--follow"},
            description = "Continue at the end, and after a broken connection, until Ctrl-C. From another host, "
                    + "'larder queue replicate' also shows the lag.")
    private boolean follow;

    @Option(
            names = "--durable",
            description = "Copy only messages that are durable at the source. Then the copy has no message that the "
                    + "source could lose.")
    private boolean durable;

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Mixin
    private SecurityArguments security = new SecurityArguments();

    @Option(names = "--allow-remote", description = "Accept network, FUSE and 9p mounts, at your own risk.")
    private boolean allowRemote;

    @Override
    public Integer call() {
        boolean remote = source.matches("[^/\\\\]+:\\d{1,5}") && !Files.isDirectory(Path.of(source));
        long copied = copy(remote);
        Figures figures = new Figures().put("messages", copied);
        Larder.streams(command)
                .out()
                .print(json ? figures.toPrettyJson() : "copied " + Counted.of(copied, "message") + "\n");
        return ExitCode.OK;
    }

    private long copy(boolean remote) {
        try (ProgressBar _ = ProgressBar.writing("copy", Larder.streams(command), target)) {
            return remote ? copyFrom(new RemoteQueue(address(), security.parsed())) : copyLocally();
        }
    }

    private InetSocketAddress address() {
        try {
            return HostAndPort.parse(source);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private LogOptions options() {
        return LogOptions.defaults().withAllowRemote(allowRemote).withPrepareBytes(0);
    }

    private CopyScope scope() {
        return durable ? CopyScope.DURABLE : CopyScope.COMMITTED;
    }

    private long copyLocally() {
        Path directory = Path.of(source);
        if (!Files.isDirectory(directory)) {
            throw new LarderException("there is no queue in " + directory);
        }
        refuseItself(directory);
        QueueArguments.refuseMap(directory);
        try (LarderQueue queue = LarderQueue.open(directory, options().withReadOnly(true))) {
            return QueueCopy.copy(queue, target, options(), scope(), follow, () -> true);
        }
    }

    private void refuseItself(Path directory) {
        try {
            if (Files.exists(target) && Files.isSameFile(directory, target)) {
                throw new LarderException("source and target are the same directory: " + directory);
            }
        } catch (IOException e) {
            throw new LarderException("cannot compare " + directory + " and " + target + ": " + FailureReason.of(e), e);
        }
    }

    /** Copies from a server. If the copy is to follow, it reconnects after a broken connection. */
    private long copyFrom(RemoteQueue server) {
        while (true) {
            try {
                return QueueCopy.copy(server, target, options(), scope(), follow, () -> true);
            } catch (IOException e) {
                if (!follow) {
                    throw new LarderException(
                            source + ": " + FailureReason.of(e) + "; run the command again to continue", e);
                }
                Larder.streams(command)
                        .err()
                        .println("larder: " + source + ": " + FailureReason.of(e) + "; trying again");
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted before the next connection", e);
        }
    }
}
