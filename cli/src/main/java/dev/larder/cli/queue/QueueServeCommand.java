package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.cli.HostAndPort;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import dev.larder.queue.ConnectionSecurity;
import dev.larder.queue.QueueServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves a queue to copies on other hosts. */
@Command(
        name = "serve",
        description = "Serves the messages of a queue to 'larder queue replicate' and 'larder queue copy', until "
                + "Ctrl-C. Without --names it changes nothing. Beyond this host it needs --secret-file or the TLS "
                + "files, and encrypts by TLS 1.3.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder queue serve orders",
            "  larder queue serve orders --listen 0.0.0.0:7340 --secret-file orders.secret",
            ExitCode.HELP
        })
final class QueueServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen (${DEFAULT-VALUE}: this host only); port 0 takes a free one.")
    private String listen = "127.0.0.1:7340";

    @Option(
            names = "--names",
            description = "Let a follower keep a named tailer here ('replicate --name'). Opens the queue for writing.")
    private boolean names;

    @Mixin
    private SecurityArguments security = new SecurityArguments();

    @Override
    public Integer call() {
        ConnectionSecurity way = security.parsed();
        InetSocketAddress address = address();
        try (OpenQueue open = names ? arguments.open(arguments.options()) : arguments.openToRead();
                QueueServer server = QueueServer.start(open.queue(), address, way)) {
            report(server.port());
            new CountDownLatch(1).await();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new LarderException("cannot serve: " + FailureReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        }
    }

    private InetSocketAddress address() {
        try {
            return HostAndPort.parse(listen);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--listen: " + e.getMessage(), e);
        }
    }

    private void report(int port) {
        PrintStream out = Larder.streams(command).out();
        Figures figures =
                new Figures().put("directory", arguments.directory().toString()).put("port", port);
        out.print(
                arguments.json()
                        ? figures.toJson() + "\n"
                        : "serving " + arguments.directory() + " at port " + port + "\n");
        out.flush();
    }
}
