package dev.larder.arraycli;

import dev.larder.array.NodeAddresses;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.array.plan.NodeState;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Registers a new node with the array. */
@Command(
        name = "add-node",
        description = "Registers a new node with the array and in FILE, and prints its number. The node has no "
                + "members until rebalance or move gives it some.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            AccessArguments.PASSWORD,
            ExitCode.EXAMPLES,
            "  larder array add-node array.properties 127.0.0.1:7003",
            "  larder array create array.properties --node 3 node3",
            "  larder array serve array.properties --node 3 node3 &",
            "  larder array rebalance array.properties",
            ExitCode.HELP
        })
final class AddNodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private TopologyChange change = new TopologyChange();

    @Parameters(index = "1", paramLabel = "HOST:PORT", description = "Where the node listens for clients.")
    private InetSocketAddress clients = new InetSocketAddress(0);

    @Option(
            names = "--zone",
            paramLabel = "NAME",
            description =
                    "The unit that may fail as a whole, such as a rack (each node is a zone). If there are enough "
                            + "zones, no two members of a stripe share one.")
    private @Nullable String zone;

    @Option(
            names = "--weight",
            paramLabel = "NUMBER",
            description = "The node's share of members relative to other nodes, 1 to 100 (1).")
    private int weight = 1;

    @ArgGroup
    private @Nullable ClientTls clientTls;

    /** Which clients the node serves. */
    static final class ClientTls {

        @Option(
                names = "--client-tls",
                description =
                        "The node also listens for clients that speak TLS, on the port that is 5000 higher, or that"
                            + " FILE names. To change an existing node, run the command again, and restart the node.")
        private boolean isBeside;

        @Option(
                names = "--client-tls-only",
                description = "The node listens only for clients that speak TLS, on the port of --client-tls.")
        private boolean isOnly;

        @Option(names = "--no-client-tls", description = "The node does not listen for clients that speak TLS.")
        private boolean isOff;

        /**
         * Returns the addresses that were chosen.
         *
         * @param plain without TLS
         * @param before as they were, whose port for TLS stays
         */
        NodeAddresses of(NodeAddresses plain, NodeAddresses before) {
            if (isOff) {
                return plain;
            }
            NodeAddresses beside = before.tlsPort().isPresent()
                    ? before.withTlsPort(before.tlsPort())
                    : ArrayDescription.withTlsPort(plain);
            if (isOnly) {
                return beside.withTlsOnly();
            }
            return isBeside ? beside : before;
        }
    }

    @Override
    public Integer call() {
        ArrayView view = change.ask();
        ArrayRecord record = view.record();
        NodeAddresses plain = addresses();
        Optional<KnownNode> known = record.nodes().stream()
                .filter(node -> isSame(node.addresses(), plain))
                .findFirst();
        int number = known.map(KnownNode::number).orElse(record.nextNode());
        known.ifPresent(this::requireSame);
        NodeAddresses addresses = withTls(plain, number, known);
        ArrayRecord next =
                known.isPresent() ? record.withAddresses(number, addresses) : next(record, addresses, number);
        requireFree(record, number, addresses);
        boolean isDone = known.isPresent() && known.get().addresses().equals(addresses);
        if (!isDone && !change.isDryRun()) {
            change.propose(view, next);
        }
        change.rewrite(nodes -> more(nodes, number, addresses));
        change.tell(
                Larder.streams(command).out(),
                new Figures().put("node", number),
                List.of((change.isDryRun() ? "dry run: " : "") + ArrayDescription.text(clients) + " is node "
                        + number));
        return ExitCode.OK;
    }

    private NodeAddresses addresses() {
        try {
            return ArrayDescription.addresses(clients);
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns whether addresses are equal, except for clients that speak TLS. */
    private static boolean isSame(NodeAddresses first, NodeAddresses second) {
        return first.withTlsOf(second).equals(second);
    }

    /** Returns the addresses with the TLS that the options say, or else the file, or else the record. */
    private NodeAddresses withTls(NodeAddresses plain, int number, Optional<KnownNode> known) {
        Optional<NodeAddresses> described =
                Optional.ofNullable(change.description().nodes().get(number)).filter(node -> isSame(node, plain));
        NodeAddresses before = Stream.concat(described.stream(), known.map(KnownNode::addresses).stream())
                .filter(addresses -> addresses.tlsPort().isPresent())
                .findFirst()
                .orElse(plain);
        return clientTls == null ? before : clientTls.of(plain, before);
    }

    /**
     * Requires unchanged settings: a repeated command continues, but changes nothing of an existing node except its port for TLS.
     */
    private void requireSame(KnownNode known) {
        if (known.node().state() != NodeState.IN) { // a node with empty folders must never get a number again
            throw new LarderException(ArrayDescription.text(clients) + " is node " + known.number()
                    + ", which is leaving the array or is lost: it gets another number once remove-node is done; see"
                    + " larder array status");
        }
        boolean isOtherZone = zone != null && !zone.equals(known.node().zone());
        boolean isOtherWeight = weight != 1 && weight != known.node().weight();
        if (isOtherZone || isOtherWeight) {
            throw new LarderException(ArrayDescription.text(clients) + " is node " + known.number()
                    + " already, in zone " + known.node().zone() + " with weight "
                    + known.node().weight());
        }
    }

    /** Requires that no other node of the file or of the record has one of these addresses. */
    private void requireFree(ArrayRecord record, int number, NodeAddresses addresses) {
        ArrayDescription description = change.description();
        SortedMap<Integer, NodeAddresses> all = new TreeMap<>(description.nodes());
        record.nodes().forEach(node -> all.put(node.number(), node.addresses()));
        try {
            var _ = description.withNodes(more(all, number, addresses));
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    private ArrayRecord next(ArrayRecord record, NodeAddresses addresses, int number) {
        try {
            String place = zone == null ? ArrayRecord.zone(number) : zone;
            return record.adding(place, weight, addresses);
        } catch (IllegalArgumentException e) {
            throw new LarderException(String.valueOf(e.getMessage()), e);
        }
    }

    private static SortedMap<Integer, NodeAddresses> more(
            SortedMap<Integer, NodeAddresses> nodes, int number, NodeAddresses addresses) {
        SortedMap<Integer, NodeAddresses> more = new TreeMap<>(nodes);
        more.put(number, addresses);
        return more;
    }
}
