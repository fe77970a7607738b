package dev.larder.arraycli;

import dev.larder.array.ArrayBackup;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.array.NodeEncryption;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.memory.LarderException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments that name the array and the node of a command. */
final class NodeArguments {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "The file that describes the array.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "The folder of the node.")
    private Path directory = Path.of("");

    @Option(
            names = "--node",
            paramLabel = "NUMBER",
            required = true,
            description = "The number of the node in the file.")
    private int node;

    @ArgGroup(exclusive = false)
    private @Nullable Encryption encryption;

    /** Files of TLS between the nodes. */
    static final class Encryption {

        @Option(
                names = "--node-cert",
                paramLabel = "FILE",
                required = true,
                description = "PEM: the certificate that this node shows to other nodes.")
        private Path certificates = Path.of("");

        @Option(
                names = "--node-key",
                paramLabel = "FILE",
                required = true,
                description = "PEM: its private key, in PKCS 8 without a password.")
        private Path key = Path.of("");

        @Option(
                names = "--node-ca",
                paramLabel = "FILE",
                required = true,
                description = "PEM: this node accepts nodes with certificates of these authorities.")
        private Path authorities = Path.of("");

        NodeEncryption files() {
            return new NodeEncryption(certificates, key, authorities);
        }
    }

    /** Reads the file, and returns the options of the node. */
    ArrayOptions options() {
        ArrayDescription description = ArrayDescription.read(file);
        try {
            ArrayOptions options = description.options(node, directory);
            requireKnown(node, options.addresses());
            if (encryption != null) {
                return options.withEncryption(checked(encryption.files()));
            }
            options.nodes().forEach(NodeArguments::requireLoopback);
            return options;
        } catch (LarderException e) {
            throw new LarderException(file + ": " + e.getMessage(), e);
        }
    }

    private NodeEncryption checked(NodeEncryption files) {
        try {
            files.check();
            return files;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--" + e.getMessage(), e);
        }
    }

    /** Requires that this host knows its own addresses. Those of other nodes may become known later. */
    private static void requireKnown(int node, NodeAddresses addresses) {
        for (InetSocketAddress address : List.of(addresses.clients(), addresses.raft(), addresses.links())) {
            if (address.isUnresolved()) {
                throw new LarderException("node " + node + " cannot listen on " + ArrayDescription.text(address)
                        + ": the host is not known");
            }
        }
    }

    private static void requireLoopback(int node, NodeAddresses addresses) {
        if (!Stream.of(addresses.clients(), addresses.raft(), addresses.links())
                .allMatch(address ->
                        !address.isUnresolved() && address.getAddress().isLoopbackAddress())) {
            throw new LarderException("node " + node + " is not on the loopback address, so the nodes need TLS:"
                    + " --node-cert, --node-key and --node-ca");
        }
    }

    Path directory() {
        return directory;
    }

    /** Requires that the node begins empty: an empty majority would outvote nodes that are made from a backup. */
    void requireEmptyBeginning() {
        ArrayDescription description = ArrayDescription.read(file);
        if (description.restored().isPresent() && description.founders().contains(node)) {
            throw new LarderException(file + ": the array begins with backup "
                    + description.restored().get() + ": make node " + node + " by restore, not by create");
        }
    }

    /** Requires that the node begins with a backup, as all first nodes of the array do. */
    void requireBeginning(ArrayBackup backup) {
        ArrayDescription description = ArrayDescription.read(file);
        if (!description.founders().contains(node)) {
            throw new LarderException(file + ": node " + node + " is not among the first nodes, "
                    + description.founders() + ": make it by create; other nodes give it its members");
        }
        if (!description.restored().equals(Optional.of(backup.identity()))) {
            throw new LarderException(file + ": the array begins "
                    + description
                            .restored()
                            .map(other -> "with backup " + other)
                            .orElse("empty")
                    + ", but " + backup.directory() + " is backup " + backup.identity()
                    + ": write the file of the new array by init --from " + backup.directory());
        }
    }
}
