package dev.larder.array.node;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.LagReport;
import dev.larder.array.form.MemberLag;
import dev.larder.array.form.PullState;
import dev.larder.array.form.RecordJson;
import dev.larder.array.form.TopologyJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.array.plan.Topology;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The commands that {@code larder array} sends to nodes. {@code CLUSTER TOPOLOGY} returns where the stripes are, and {@code
 * CLUSTER LAG} which members are behind. {@code CLUSTER PROPOSE} sets where stripes are to be. {@code CLUSTER HANDOVER} makes a
 * node lead nothing before it is restarted.
 */
public final class TopologyCommands {

    /** The stripe whose members agree on the record. */
    private static final int RECORD_STRIPE = 0;

    private final Stripes stripes;
    private final RecordKeeper record;
    private final Supplier<Topology> topology;
    private final Supplier<List<PullState>> pulls;
    private final boolean isEncrypted;

    /**
     * Creates the commands about the topology of an array.
     *
     * @param topology returns the present state of the stripes that this node leads
     * @param pulls returns the pulls of this node
     * @param isEncrypted whether nodes speak TLS to each other
     */
    public TopologyCommands(
            Stripes stripes,
            RecordKeeper record,
            Supplier<Topology> topology,
            Supplier<List<PullState>> pulls,
            boolean isEncrypted) {
        this.isEncrypted = isEncrypted;
        this.stripes = stripes;
        this.record = record;
        this.topology = topology;
        this.pulls = pulls;
    }

    /** Returns the handlers by the names of their commands. */
    public Map<String, SessionHandler> all() {
        return Map.of(
                "cluster|propose",
                (session, request) -> propose(session, request),
                "cluster|handover",
                (session, request) -> {
                    var _ = stripes.beginHandOver(); // the client checks whether it was done
                    session.reply().ok();
                },
                "cluster|lag",
                (session, request) -> session.reply().bulk(report().write().getBytes(StandardCharsets.UTF_8)),
                "cluster|topology",
                (session, request) -> tell(session));
    }

    private void tell(Session session) {
        session.reply().array(2);
        session.reply().bulk(RecordJson.write(record.record()).getBytes(StandardCharsets.UTF_8));
        session.reply().bulk(TopologyJson.write(topology.get()).getBytes(StandardCharsets.UTF_8));
    }

    private LagReport report() {
        List<MemberLag> members = new ArrayList<>();
        stripes.led().forEach(stripe -> members.addAll(MemberLags.of(stripes, stripe)));
        return new LagReport(members, pulls.get());
    }

    private void propose(Session session, Request request) {
        String json = new String(request.bytes(2), StandardCharsets.UTF_8);
        try {
            propose(RecordJson.read(json), session.link().isEncrypted());
        } catch (IllegalArgumentException e) {
            throw new ReplyException("ERR not a record of an array: " + e.getMessage());
        }
        session.reply().ok();
    }

    /**
     * Proposes the next record. Does not wait: the record shows whether the members of stripe 0 have taken it.
     *
     * @param encrypted whether the proposing client speaks TLS
     * @throws ReplyException if this node does not lead stripe 0
     */
    public void propose(ArrayRecord next, boolean encrypted) {
        if (next.version() < 1 || next.goals().size() != stripes.count()) {
            throw new IllegalArgumentException("version " + next.version() + " with goals for "
                    + next.goals().size() + " stripes; the array has " + stripes.count());
        }
        next.requireNodes(); // else no node could say where the stripes are, and no command could change that
        requireAddresses(next);
        Stripe stripe = stripes.here(RECORD_STRIPE);
        if (stripe == null || !stripe.isReady()) {
            throw stripes.elsewhere(stripes.slots().first(RECORD_STRIPE), encrypted);
        }
        var _ = stripe.submit(StoreStripe.recordEntry(next.version() - 1, RecordJson.write(next)));
    }

    /** Checks new addresses only: a host that has no name for a while must not block the array. */
    private void requireAddresses(ArrayRecord next) {
        Set<String> known = new HashSet<>();
        record.record().nodes().forEach(node -> addresses(node).forEach(address -> known.add(text(address))));
        for (KnownNode node : next.nodes()) {
            if (!addresses(node).stream().allMatch(address -> known.contains(text(address)))) {
                NodeAddresses found = node.addresses().lookedUp();
                Stream.of(found.clients(), found.raft(), found.links())
                        .filter(address -> !known.contains(text(address)))
                        .forEach(address -> requireAddress(node.number(), address));
            }
        }
    }

    private void requireAddress(int node, InetSocketAddress address) {
        String text = text(address);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "node " + node + ": this node cannot resolve the host of its address " + text);
        }
        if (!isEncrypted && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("node " + node + ": the nodes have no TLS, so they cannot connect to "
                    + text + ", which is not a loopback address");
        }
        if (address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "node " + node + ": other nodes cannot connect to " + text + ", a wildcard address");
        }
    }

    private static List<InetSocketAddress> addresses(KnownNode node) {
        return List.of(
                node.addresses().clients(),
                node.addresses().raft(),
                node.addresses().links());
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
