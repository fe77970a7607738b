package dev.larder.arraycli;

import dev.larder.array.ArrayBackup;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the file that describes a new array. */
@Command(
        name = "init",
        description =
                "Writes a file that describes a new array, and starts nothing. Give each node a copy of the " + "file.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder array init array.properties --nodes 127.0.0.1:7000,127.0.0.1:7001",
            "  larder array init new.properties --nodes a:7000,b:7000,c:7000 --from monday",
            ExitCode.HELP
        })
final class InitCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file to write. It must not exist yet.")
    private Path file = Path.of("");

    @Option(
            names = "--nodes",
            paramLabel = "HOST:PORT",
            split = ",",
            required = true,
            description =
                    "Where each node listens for clients. The node also takes the ports that are 10000 (Raft) and 20000"
                            + " (links) higher.")
    private List<InetSocketAddress> nodes = List.of();

    @Option(
            names = "--client-tls",
            description =
                    "Each node also listens for clients that speak TLS, on the port that is 5000 higher. Start nodes"
                            + " with --tls-cert-file and --tls-key-file.")
    private boolean clientTls;

    @Option(
            names = "--client-tls-only",
            description = "Each node listens only for clients that speak TLS, on the port of --client-tls.")
    private boolean clientTlsOnly;

    @Option(
            names = "--stripes",
            paramLabel = "COUNT",
            description = "The number of stripes that the keys are spread over, 1 to 1024 (the number of nodes). "
                    + "The number cannot change later.")
    private @Nullable Integer stripes;

    @Option(
            names = "--mirrors",
            paramLabel = "COUNT",
            description =
                    "The number of nodes that keep each stripe, 1 to 5 (3, or 2 with a witness; at most the number of "
                            + "nodes).")
    private @Nullable Integer mirrors;

    @Option(
            names = "--witness",
            description =
                    "Each stripe has a witness on one more node. The witness keeps the log and votes, but stores no"
                            + " values and serves no clients.")
    private boolean witness;

    @Option(
            names = "--values-once",
            description = "Each node writes values of at least 1 KiB once, to its store, and not to Raft's log "
                    + "too. This cannot change later.")
    private boolean valuesOnce;

    @Option(
            names = "--from",
            paramLabel = "BACKUP",
            description = "The array begins with the data and the stripes of this backup. Make each of its nodes by "
                    + "restore, not by create.")
    private @Nullable Path backup;

    @Override
    public Integer call() {
        ArrayDescription description = description();
        description.write(file);
        Larder.streams(command)
                .out()
                .println("array " + description.array() + ": "
                        + description.nodes().size() + " nodes, " + description.stripes() + " stripes, "
                        + description.mirrors() + " mirrors" + (witness ? " and a witness" : ""));
        return ExitCode.OK;
    }

    private ArrayDescription description() {
        try {
            List<NodeAddresses> addresses = nodes.stream()
                    .map(ArrayDescription::addresses)
                    .map(one -> clientTls || clientTlsOnly ? ArrayDescription.withTlsPort(one) : one)
                    .map(one -> clientTlsOnly ? one.withTlsOnly() : one)
                    .toList();
            ArrayDescription standard = ArrayDescription.of(UUID.randomUUID(), addresses);
            int witnesses = witness ? 1 : 0;
            int mirrorsOfEach = mirrors == null ? standard.mirrors() - witnesses : mirrors;
            if (backup == null) {
                return standard.with(stripes == null ? standard.stripes() : stripes, mirrorsOfEach, witnesses)
                        .withValuesOnce(valuesOnce);
            }
            ArrayBackup from = ArrayBackup.read(backup);
            if (stripes != null && stripes != from.stripes()) {
                throw new IllegalArgumentException("--stripes " + stripes + ": " + backup + " has " + from.stripes());
            }
            if (valuesOnce && !from.valuesOnce()) {
                throw new IllegalArgumentException(
                        "--values-once: " + backup + " comes from an array that writes values to the log too");
            }
            return standard.with(from.stripes(), mirrorsOfEach, witnesses)
                    .withValuesOnce(from.valuesOnce())
                    .withSegmentBytes(from.segmentBytes())
                    .withRestored(from.identity());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
