package dev.larder.serve;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.TimeSpan;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                "Serves Redis clients from the maps and queues of a folder. On Ctrl-C or SIGTERM it syncs all writes "
                        + "and stops.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Every parameter of redis.conf that the server knows is an option too, as in --maxclients 100, and an "
                    + "environment variable, as in LARDER_SERVE_MAXCLIENTS=100. larder config list names them.",
            ExitCode.EXAMPLES,
            "  larder serve data",
            "  larder serve data --port 6380 --sync always",
            "  larder serve --config larder.conf",
            ExitCode.HELP
        })
final class ServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIRECTORY",
            description = "The folder of the data, created if missing. The file of --config may name it instead (dir).")
    private @Nullable Path directory;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A file of parameters in the syntax of redis.conf. Options override it.")
    private @Nullable Path file;

    @Option(names = "--port", paramLabel = "PORT", description = "Where to listen (6379); 0 takes a free port.")
    private @Nullable String port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            split = ",",
            description = "The addresses to listen on (127.0.0.1: this host only).")
    private List<String> addresses = List.of();

    @Option(
            names = "--databases",
            paramLabel = "COUNT",
            description = "The number of databases, 1 to 1024 (1). Each one in use has a folder.")
    private @Nullable String databases;

    @Option(
            names = "--sync",
            paramLabel = "WHEN",
            description =
                    "When writes survive a power cut: always (before each reply), after a time such as 1s, or never "
                            + "(1s).")
    private @Nullable String sync;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            description = "The most bytes that strings and their index take (no bound).")
    private @Nullable ByteCount maxMemory;

    @Option(
            names = "--evict",
            description = "Beyond --max-memory, evict keys not used lately instead of refusing writes.")
    private boolean evict;

    @Option(
            names = "--user",
            paramLabel = "RULES",
            description =
                    "A user's name and ACL rules, as in \"alice on >secret ~* +@read\". Repeat it for more users.")
    private List<String> users = List.of();

    @Option(
            names = "--loops",
            paramLabel = "COUNT",
            description = "The number of event loops (half of the processors).")
    private @Nullable String loops;

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            description = "How to wait for sockets: auto, epoll, io_uring or nio (auto).")
    private @Nullable String transport;

    private final List<Map.Entry<String, String>> parameters;

    /** Creates a command whose further options are added to a list: each the name of a parameter, and its value. */
    ServeCommand(List<Map.Entry<String, String>> parameters) {
        this.parameters = parameters;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = configuration();
        configuration.notes().forEach(note -> Larder.streams(command).err().println(note));
        try (LarderServer server = start(configuration)) {
            Thread stopping = new Thread(server::close, "larder-stop");
            Runtime.getRuntime().addShutdownHook(stopping);
            Larder.streams(command)
                    .out()
                    .println("serving " + configuration.value("dir") + " on "
                            + configuration.value("bind").replace(' ', ',') + " port " + server.port() + " ("
                            + server.transport() + ")");
            Larder.streams(command).out().flush();
            server.awaitStop();
        }
        return ExitCode.OK;
    }

    private LarderServer start(Configuration configuration) {
        try {
            return LarderServer.start(configuration);
        } catch (IllegalArgumentException e) { // parameters, or files of TLS
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private Configuration configuration() {
        try {
            Configuration configuration = Configuration.of(Optional.ofNullable(file), System.getenv(), parameters);
            for (String user : users) {
                configuration = configuration.withUser(user);
            }
            if (directory == null && file == null) {
                throw new ParameterException(command.commandLine(), "Missing required parameter: 'DIRECTORY'");
            }
            for (Map.Entry<String, String> option : options().entrySet()) {
                configuration = configuration.with(option.getKey(), option.getValue());
            }
            configuration.options(); // whether the values fit each other
            return configuration;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** Returns the parameters that the options of this command set. */
    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        put(options, "dir", directory);
        put(options, "port", port);
        put(options, "bind", addresses.isEmpty() ? null : String.join(" ", addresses));
        put(options, "databases", databases);
        put(options, "maxmemory", maxMemory == null ? null : maxMemory.bytes());
        put(options, "maxmemory-policy", evict ? "allkeys-lru" : null);
        put(options, "io-threads", loops);
        put(options, "transport", transport);
        if (sync != null) {
            putDurability(options, sync);
        }
        return options;
    }

    private static void put(Map<String, String> options, String name, @Nullable Object value) {
        if (value != null) {
            options.put(name, value.toString());
        }
    }

    private static void putDurability(Map<String, String> options, String when) {
        switch (when) {
            case "always" -> options.put("appendfsync", "always");
            case "never" -> options.put("appendfsync", "no");
            default -> {
                options.put("appendfsync", "everysec");
                options.put(
                        "sync-interval-millis",
                        Long.toString(TimeSpan.parse(when).toMillis()));
            }
        }
    }
}
