package dev.larder.serve;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.TimeSpan;
import dev.larder.server.Durability;
import dev.larder.server.LarderServer;
import dev.larder.server.ServerOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a server and runs it until it is stopped. */
@Command(
        name = "serve",
        description =
                "Starts a server in Redis' protocol, on the maps and queues of a folder. Ctrl-C or SIGTERM stops it:"
                        + " it syncs all writes first.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class ServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "DIRECTORY",
            description = "The folder of the data. It is made if it is missing.")
    private Path directory = Path.of("");

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Where to listen (${DEFAULT-VALUE}); 0 takes a free port.")
    private int port = ServerOptions.PORT;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            split = ",",
            description = "The addresses to listen on (127.0.0.1: this host only).")
    private List<String> addresses = List.of("127.0.0.1");

    @Option(
            names = "--databases",
            paramLabel = "COUNT",
            description = "How many databases there are, 1 to 1024 (${DEFAULT-VALUE}). Each has a folder.")
    private int databases = 1;

    @Option(
            names = "--sync",
            paramLabel = "WHEN",
            description =
                    "When a write is safe from a power loss: always (before its reply), a time such as 1s, or never"
                            + " (${DEFAULT-VALUE}).")
    private String sync = "1s";

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            description = "The most bytes of files of each database (no bound).")
    private @Nullable ByteCount maxMemory;

    @Option(names = "--evict", description = "Evict keys where there is no room, in place of an error.")
    private boolean evict;

    @Option(names = "--loops", paramLabel = "COUNT", description = "How many event loops (half of the processors).")
    private @Nullable Integer loops;

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            description = "How to wait for sockets: auto, epoll, io_uring or nio (${DEFAULT-VALUE}).")
    private String transport = "auto";

    @Override
    public Integer call() throws InterruptedException {
        ServerOptions options = options();
        try (LarderServer server = LarderServer.start(options)) {
            Thread stopping = new Thread(server::close, "larder-stop");
            Runtime.getRuntime().addShutdownHook(stopping);
            Larder.streams(command)
                    .out()
                    .println("serving " + directory + " on " + String.join(",", addresses) + " port " + server.port()
                            + " (" + server.transport() + ")");
            Larder.streams(command).out().flush();
            server.awaitStop();
        }
        return ExitCode.OK;
    }

    private ServerOptions options() {
        try {
            ServerOptions options = ServerOptions.of(directory)
                    .withAddresses(resolved())
                    .withPort(port)
                    .withDatabases(databases)
                    .withDurability(durability())
                    .withTransport(transport);
            options = loops == null ? options : options.withLoops(loops);
            return maxMemory == null ? options : options.withMaxMemoryBytes(maxMemory.bytes(), evict);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private List<InetAddress> resolved() {
        List<InetAddress> resolved = new ArrayList<>();
        for (String address : addresses) {
            try {
                resolved.add(InetAddress.getByName(address));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("--bind: the address " + address + " is not known", e);
            }
        }
        return resolved;
    }

    private Durability durability() {
        return switch (sync) {
            case "always" -> Durability.ofEveryWrite();
            case "never" -> Durability.none();
            default -> new Durability(false, TimeSpan.parse(sync));
        };
    }
}
