package dev.larder.array.node;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import dev.larder.server.store.Store;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * {@code CLUSTER}, {@code READONLY} and {@code READWRITE}: cluster clients learn from them which node leads which slots. To
 * clients, a node is the master of the stripes that it leads, and a replica of the others of which it has a member.
 */
public final class ClusterCommands {

    private static final int SLOTS_OF_SHARD = 2;

    private final Stripes stripes;
    private final UUID array;

    /** Creates the commands about the stripes of an array. */
    public ClusterCommands(Stripes stripes, UUID array) {
        this.stripes = stripes;
        this.array = array;
    }

    /** Returns the handlers by the names of their commands. */
    public Map<String, SessionHandler> all() {
        return Map.of(
                "cluster|countkeysinslot", this::countKeys,
                "cluster|getkeysinslot", this::keys,
                "cluster|info", this::info,
                "cluster|keyslot", (session, request) -> session.reply().integer(KeySlot.of(Bytes.of(request, 2))),
                "cluster|myid", (session, request) -> session.reply().text(name(stripes.self())),
                "cluster|nodes", this::nodes,
                "cluster|shards", this::shards,
                "cluster|slots", this::slots,
                "readonly", (session, request) -> setReadsMirrors(session, true),
                "readwrite", (session, request) -> setReadsMirrors(session, false));
    }

    private static void setReadsMirrors(Session session, boolean mirrors) {
        if (session.database() instanceof ArraySession keys) {
            keys.setReadsMirrors(mirrors);
        }
        session.reply().ok();
    }

    /** Returns the name of a node: 40 hexadecimal digits, as in Redis. */
    private String name(int node) {
        UUID one = UUID.nameUUIDFromBytes((array + "#" + node).getBytes(StandardCharsets.US_ASCII));
        return (one.toString().replace("-", "") + HexFormat.of().toHexDigits(node));
    }

    /** Returns the port of a node for such clients; 0 if it has none. */
    private int port(int node, boolean encrypted) {
        return stripes.address(node, encrypted).map(InetSocketAddress::getPort).orElse(0);
    }

    /**
     * Returns the nodes of a stripe, the leader first. If no leader is known, an available node comes first, so that clients wait
     * there. Nodes to which such a client cannot connect are left out. If the leader is one of them, another node comes first,
     * whose error says why it does not serve the slots.
     *
     * @param encrypted whether the client speaks TLS
     */
    private List<Integer> leaderFirst(int stripe, boolean encrypted) {
        List<Integer> nodes = leaderFirst(stripe);
        nodes.removeIf(node -> stripes.address(node, encrypted).isEmpty());
        return nodes;
    }

    /** Returns the nodes of a stripe for clients of both kinds, the leader first. */
    private List<Integer> leaderFirst(int stripe) {
        List<Integer> nodes = new ArrayList<>(stripes.mirrors(stripe));
        nodes.sort(Comparator.comparing((Integer node) -> !stripes.isThere(node)));
        stripes.leader(stripe).ifPresent(leader -> {
            nodes.removeIf(node -> node == leader);
            nodes.addFirst(leader);
        });
        nodes.removeIf(node -> !stripes.isKnown(node));
        return nodes;
    }

    private void slots(Session session, Request request) {
        boolean encrypted = session.link().isEncrypted();
        SortedMap<Integer, List<Integer>> served = new TreeMap<>();
        for (int stripe = 0; stripe < stripes.count(); stripe++) {
            List<Integer> nodes = leaderFirst(stripe, encrypted);
            if (!nodes.isEmpty()) { // clients expect that each listed slot has a node
                served.put(stripe, nodes);
            }
        }
        ReplyEncoder reply = session.reply();
        reply.array(served.size());
        served.forEach((stripe, nodes) -> {
            reply.array(2 + nodes.size());
            reply.integer(stripes.slots().first(stripe));
            reply.integer(stripes.slots().last(stripe));
            for (int node : nodes) {
                reply.array(4);
                reply.text(stripes.host(node));
                reply.integer(port(node, encrypted));
                reply.text(name(node));
                reply.array(0);
            }
        });
    }

    private void shards(Session session, Request request) {
        ReplyEncoder reply = session.reply();
        reply.array(stripes.count());
        for (int stripe = 0; stripe < stripes.count(); stripe++) {
            List<Integer> nodes = leaderFirst(stripe); // the reply names both ports
            reply.map(2);
            reply.text("slots");
            reply.array(SLOTS_OF_SHARD);
            reply.integer(stripes.slots().first(stripe));
            reply.integer(stripes.slots().last(stripe));
            reply.text("nodes");
            reply.array(nodes.size());
            for (int i = 0; i < nodes.size(); i++) {
                shardNode(reply, nodes.get(i), i == 0 ? "master" : "replica");
            }
        }
    }

    private void shardNode(ReplyEncoder reply, int node, String role) {
        Optional<InetSocketAddress> plain = stripes.address(node, false);
        OptionalInt tlsPort = stripes.tlsPort(node);
        reply.map(6 + (plain.isPresent() ? 1 : 0) + (tlsPort.isPresent() ? 1 : 0));
        reply.text("id");
        reply.text(name(node));
        plain.ifPresent(address -> {
            reply.text("port");
            reply.integer(address.getPort());
        });
        tlsPort.ifPresent(port -> {
            reply.text("tls-port");
            reply.integer(port);
        });
        reply.text("ip");
        reply.text(stripes.host(node));
        reply.text("endpoint");
        reply.text(stripes.host(node));
        reply.text("role");
        reply.text(role);
        reply.text("replication-offset");
        reply.integer(0);
        reply.text("health");
        reply.text(stripes.isThere(node) ? "online" : "fail");
    }

    private void nodes(Session session, Request request) {
        boolean encrypted = session.link().isEncrypted();
        StringBuilder lines = new StringBuilder();
        for (int node : stripes.nodes()) {
            stripes.address(node, encrypted)
                    .ifPresent(address -> lines.append(line(node, address.getPort(), encrypted)));
        }
        session.reply().verbatim("txt", lines.toString());
    }

    private StringBuilder line(int node, int port, boolean encrypted) {
        boolean isThere = stripes.isThere(node);
        StringBuilder line = new StringBuilder(name(node))
                .append(' ')
                .append(stripes.host(node))
                .append(':')
                .append(port)
                .append('@')
                .append(port)
                .append(node == stripes.self() ? " myself," : " ")
                .append(isThere ? "master" : "master,fail")
                .append(" - 0 0 0 ")
                .append(isThere ? "connected" : "disconnected");
        led(node, encrypted)
                .forEach(stripe -> line.append(' ')
                        .append(stripes.slots().first(stripe))
                        .append('-')
                        .append(stripes.slots().last(stripe)));
        return line.append('\n');
    }

    private IntStream led(int node, boolean encrypted) {
        return IntStream.range(0, stripes.count())
                .filter(stripe ->
                        leaderFirst(stripe, encrypted).stream().limit(1).anyMatch(first -> first == node));
    }

    private void info(Session session, Request request) {
        long ready = IntStream.range(0, stripes.count())
                .filter(stripe -> stripes.leader(stripe).isPresent())
                .mapToLong(
                        stripe -> stripes.slots().last(stripe) - stripes.slots().first(stripe) + 1L)
                .sum();
        long leaders = stripes.nodes().stream()
                .filter(node ->
                        led(node, session.link().isEncrypted()).findAny().isPresent())
                .count();
        String text = "cluster_state:" + (ready == KeySlot.COUNT ? "ok" : "fail")
                + "\r\ncluster_slots_assigned:" + KeySlot.COUNT
                + "\r\ncluster_slots_ok:" + ready
                + "\r\ncluster_slots_pfail:0"
                + "\r\ncluster_slots_fail:" + (KeySlot.COUNT - ready)
                + "\r\ncluster_known_nodes:" + stripes.nodes().size()
                + "\r\ncluster_size:" + leaders
                + "\r\ncluster_current_epoch:0\r\ncluster_my_epoch:0\r\n";
        session.reply().verbatim("txt", text);
    }

    private void countKeys(Session session, Request request) {
        long[] count = {0};
        forEachKey(slot(request), key -> count[0]++);
        session.reply().integer(count[0]);
    }

    private void keys(Session session, Request request) {
        int slot = slot(request);
        if (!request.isInteger(3) || request.integer(3) < 0) {
            throw new ReplyException("ERR Invalid slot or number of keys");
        }
        long most = request.integer(3);
        List<Bytes> keys = new ArrayList<>();
        forEachKey(slot, key -> {
            if (keys.size() < most) {
                keys.add(key.copy());
            }
        });
        session.reply().array(keys.size());
        keys.forEach(key -> session.reply().bulk(key.toArray()));
    }

    private static int slot(Request request) {
        if (!request.isInteger(2) || request.integer(2) < 0 || request.integer(2) >= KeySlot.COUNT) {
            throw new ReplyException("ERR Invalid slot");
        }
        return (int) request.integer(2);
    }

    /** Walks all keys of a stripe, as {@code KEYS} does. */
    private void forEachKey(int slot, Consumer<Bytes> handler) {
        Stripe stripe = stripes.here(stripes.slots().stripeOf(slot));
        if (stripe == null) {
            return;
        }
        Store store = stripe.state().stores().store(0);
        long cursor = 0;
        do {
            cursor = store.keys().scan(cursor, 1000, key -> {
                if (KeySlot.of(key) == slot) {
                    handler.accept(key);
                }
            });
        } while (cursor != 0);
    }
}
