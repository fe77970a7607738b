package dev.larder.cli.queue;

import dev.larder.cli.ByteSize;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.HostAndPort;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.cli.output.Counted;
import dev.larder.cli.output.ProgressBar;
import dev.larder.log.LogOptions;
import dev.larder.memory.LarderException;
import dev.larder.queue.CopyScope;
import dev.larder.queue.QueueReplication;
import dev.larder.queue.RemoteQueue;
import dev.larder.queue.ReplicationOptions;
import dev.larder.queue.ReplicationProgress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Keeps a copy of a queue of another host. */
@Command(
        name = "replicate",
        description = {
            "Keeps a copy of a queue that 'larder queue serve' serves, until Ctrl-C. Each message arrives once, in "
                    + "order. If either side is killed or the connection breaks, the copy continues from its end. "
                    + "The copy is an ordinary queue with its own positions. Nothing else may append to it.",
            "On a terminal it shows how far the copy is behind. With --json it prints that as one object per line."
        },
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue replicate otherhost:7340 orders-copy --secret-file orders.secret",
            "  larder queue replicate localhost:7340 orders-copy --json --every 10s",
            ExitCode.HELP
        })
final class QueueReplicateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FROM", description = "HOST:PORT of 'larder queue serve'.")
    private String from = "";

    @Parameters(
            index = "1",
            paramLabel = "TO",
            description = "The directory of the copy: a new one, or that of this copy.")
    private Path to = Path.of("");

    @Mixin
    private SecurityArguments security = new SecurityArguments();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Keep a named tailer at the source that follows the copy's durable messages. A retention by age "
                            + "at the source then waits for the copy. Start the source with --names.")
    private String name = "";

    @Option(
            names = "--durable",
            description = "Copy only messages that are durable at the source. Then the copy has no message that the "
                    + "source could lose.")
    private boolean durable;

    @Option(names = "--every", paramLabel = "TIME", description = "How often to report with --json (1s).")
    private Duration every = Duration.ofSeconds(1);

    @Option(names = "--json", description = "Report in JSON.")
    private boolean json;

    @Option(names = "--allow-remote", description = "Accept network, FUSE and 9p mounts, at your own risk.")
    private boolean allowRemote;

    @Override
    public Integer call() {
        RemoteQueue source = source();
        LogOptions options = LogOptions.defaults().withAllowRemote(allowRemote).withPrepareBytes(0);
        ReplicationOptions replicating = ReplicationOptions.defaults()
                .withName(name)
                .withScope(durable ? CopyScope.DURABLE : CopyScope.COMMITTED);
        Streams streams = Larder.streams(command);
        try (QueueReplication replication = QueueReplication.start(source, to, options, replicating);
                ProgressBar _ = ProgressBar.telling("replicate", streams, () -> line(replication.progress()))) {
            report(replication, streams);
        }
        return ExitCode.OK;
    }

    private RemoteQueue source() {
        if (every.toMillis() < 1) {
            throw new ParameterException(
                    command.commandLine(), "--every " + every.toMillis() + " ms: the least is 1 ms");
        }
        try {
            return new RemoteQueue(HostAndPort.parse(from), security.parsed());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    command.commandLine(),
                    e.getMessage() + "; within this host, use 'larder queue copy " + from + " TARGET --follow'",
                    e);
        }
    }

    /** Reports the progress until the replication ends. Each trouble is reported once. */
    private void report(QueueReplication replication, Streams streams) {
        CompletableFuture<Void> end = replication.ended().toCompletableFuture();
        String told = null;
        while (!end.isDone() && !(json && streams.out().checkError())) {
            await(end);
            ReplicationProgress progress = replication.progress();
            if (json) {
                streams.out().println(figures(progress).toJson());
            }
            told = tell(progress, told, streams.err());
        }
        if (end.isDone()) { // also while the progress was reported
            await(end);
        }
    }

    private @Nullable String tell(ReplicationProgress progress, @Nullable String told, PrintStream err) {
        String trouble = progress.trouble().orElse(null);
        if (!json && trouble != null && !trouble.equals(told)) {
            err.println("larder: " + trouble + "; trying again");
        }
        return trouble;
    }

    private void await(CompletableFuture<Void> end) {
        try {
            end.get(every.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // the replication continues
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException reason ? reason : new LarderException(String.valueOf(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted", e);
        }
    }

    /** Returns the progress line for a terminal. */
    private static String line(ReplicationProgress progress) {
        String copied = Counted.of(progress.copied(), "message");
        if (progress.lagMessages().isEmpty()) {
            return copied + ", connecting";
        }
        return copied + ", behind by " + Counted.of(progress.lagMessages().getAsLong(), "message") + ", "
                + ByteSize.format(progress.lagBytes().orElse(0))
                + progress.lagTime().map(time -> ", " + seconds(time)).orElse("")
                + (progress.connected() ? "" : ", not connected");
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }

    private static Figures figures(ReplicationProgress progress) {
        return new Figures()
                .put("time", Instant.now())
                .put("connected", progress.connected())
                .put("messages", progress.copied())
                .put("lagMessages", value(progress.lagMessages()))
                .put("lagBytes", value(progress.lagBytes()))
                .put("lagMillis", progress.lagTime().map(Duration::toMillis).orElse(null))
                .put("durablePosition", value(progress.durablePosition()))
                .put(
                        "trouble",
                        Optional.of(progress)
                                .flatMap(ReplicationProgress::trouble)
                                .orElse(null));
    }

    private static @Nullable Long value(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
