package dev.larder.arraycli;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.CatchUp;
import dev.larder.array.NodeAddresses;
import dev.larder.cli.ByteCount;
import dev.larder.cli.ByteRate;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.server.Configuration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a node and runs it until it is stopped. */
@Command(
        name = "serve",
        description =
                "Runs a node that create or restore has made. On Ctrl-C or SIGTERM it syncs all writes and " + "stops.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Parameters of redis.conf are options too, as in --maxclients 100, and environment variables, as in"
                + " LARDER_SERVE_MAXCLIENTS=100. larder config list names them. Only FILE sets where a node listens.",
            ExitCode.EXAMPLES,
            "  larder array serve array.properties --node 0 node0",
            "  larder array serve array.properties --node 0 node0 --maxclients 100",
            ExitCode.HELP
        })
final class NodeServeCommand implements Callable<Integer> {

    /** Kept in a field: the JVM drops a logger that is not referenced, and its level with it. */
    private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private NodeArguments arguments = new NodeArguments();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A file of parameters in the syntax of redis.conf. Options override it.")
    private @Nullable Path configurationFile;

    @Option(
            names = "--log-bytes",
            paramLabel = "SIZE",
            defaultValue = "4GiB",
            description =
                    "The most bytes of writes that a stripe keeps for absent nodes, 16MiB to 1TiB (${DEFAULT-VALUE}).")
    private ByteCount logBytes = new ByteCount(0);

    @Option(
            names = "--pull-rate",
            paramLabel = "RATE",
            defaultValue = "64MiB/s",
            description = "How fast this node copies a stripe's files from another node, 1MiB/s to 64GiB/s "
                    + "(${DEFAULT-VALUE}).")
    private ByteRate pullRate = new ByteRate(0);

    /** For a child of a program that may be killed: the child then ends as well, since nothing else holds its input. */
    @Option(names = "--until-input-ends", hidden = true)
    private boolean untilInputEnds;

    private final List<Map.Entry<String, String>> parameters;

    /** Creates the command. Further options are added to a list, each as the name of a parameter and its value. */
    NodeServeCommand(List<Map.Entry<String, String>> parameters) {
        this.parameters = parameters;
    }

    @Override
    public Integer call() throws InterruptedException {
        RATIS.setLevel(Level.WARNING); // its gRPC logs which transport it has found
        ArrayOptions options = arguments.options().withCatchUp(catchUp());
        NodeAddresses addresses = options.addresses();
        Configuration configuration = configuration(addresses);
        configuration.notes().forEach(note -> Larder.streams(command).err().println(note));
        try (ArrayNode node = start(options, configuration)) {
            Runtime.getRuntime().addShutdownHook(new Thread(node::close, "larder-stop"));
            Larder.streams(command)
                    .out()
                    .println("node " + options.node() + " serves " + arguments.directory() + " on "
                            + addresses.clients().getAddress().getHostAddress() + ports(addresses));
            Larder.streams(command).out().flush();
            if (untilInputEnds) {
                Thread.ofPlatform().daemon().name("larder-input").start(this::exitWithInput);
            }
            node.awaitStop();
        }
        return ExitCode.OK;
    }

    private static String ports(NodeAddresses addresses) {
        String plain = " port " + addresses.clients().getPort();
        if (addresses.tlsPort().isEmpty()) {
            return plain;
        }
        int port = addresses.tlsPort().getAsInt();
        return addresses.tlsOnly() ? " port " + port + ", with TLS only" : plain + " and, with TLS, port " + port;
    }

    private ArrayNode start(ArrayOptions options, Configuration configuration) {
        try {
            return ArrayNode.start(options, configuration);
        } catch (IllegalArgumentException e) { // parameters, or files of TLS
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private void exitWithInput() {
        try (InputStream in = Larder.streams(command).in()) {
            in.skipNBytes(Long.MAX_VALUE);
        } catch (IOException e) {
            System.exit(ExitCode.OK); // the end of the input is the usual end
        }
    }

    private CatchUp catchUp() {
        try {
            return new CatchUp(logBytes.bytes(), pullRate.bytesPerSecond());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--" + e.getMessage(), e);
        }
    }

    private Configuration configuration(NodeAddresses addresses) {
        try {
            return Configuration.of(Optional.ofNullable(configurationFile), System.getenv(), parameters)
                    .with("bind", addresses.clients().getAddress().getHostAddress())
                    .with("port", Integer.toString(addresses.clients().getPort()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
