package dev.larder.array.form;

import dev.larder.array.NodeAddresses;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Role;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import tools.jackson.jr.ob.JSON;

/**
 * The array's record in JSON, as {@code docs/formats/array.md} describes it. Reading looks up no host: the links' thread and the
 * members' threads read records, and would wait for the name service. So a host that is a name has no address yet.
 */
public final class RecordJson {

    private static final int VERSION = 1;
    private static final int PORT_MAX = 65_535;

    private RecordJson() {}

    /** Returns a record in JSON, in one line. */
    public static String write(ArrayRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("format", VERSION);
        fields.put("version", record.version());
        fields.put("nextNode", record.nextNode());
        fields.put("mirrors", record.mirrors());
        fields.put("witnesses", record.witnesses());
        fields.put("nodes", record.nodes().stream().map(RecordJson::fields).toList());
        fields.put("goals", record.goals().stream().map(RecordJson::fields).toList());
        return JSON.std.asString(fields);
    }

    private static Map<String, Object> fields(KnownNode known) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", known.number());
        fields.put("zone", known.node().zone());
        fields.put("weight", known.node().weight());
        fields.put("state", JsonFields.name(known.node().state()));
        fields.put("clients", text(known.addresses().clients()));
        fields.put("raft", text(known.addresses().raft()));
        fields.put("links", text(known.addresses().links()));
        known.addresses().tlsPort().ifPresent(port -> fields.put("tlsPort", port));
        if (known.addresses().tlsOnly()) {
            fields.put("tlsOnly", true);
        }
        return fields;
    }

    private static Map<String, Object> fields(Goal goal) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", goal.stripe());
        fields.put("leader", goal.leader());
        fields.put("nodes", nodes(goal, Role.MIRROR));
        fields.put("witnesses", nodes(goal, Role.WITNESS));
        return fields;
    }

    private static List<String> nodes(Goal goal, Role role) {
        return goal.roles().entrySet().stream()
                .filter(node -> node.getValue() == role)
                .map(node -> String.valueOf(node.getKey()))
                .toList();
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Returns the record in a text. Its hosts are not looked up.
     *
     * @see NodeAddresses#lookedUp
     * @throws IllegalArgumentException if it is not JSON, or holds no record; the message names the field
     */
    public static ArrayRecord read(String text) {
        return JsonFields.read(text, RecordJson::record);
    }

    private static ArrayRecord record(JsonFields fields) {
        if (fields.number("format") != VERSION) {
            throw new IllegalArgumentException("format " + fields.number("format") + " is not " + VERSION);
        }
        return new ArrayRecord(
                fields.number("version"),
                fields.smallNumber("nextNode"),
                fields.smallNumber("mirrors"),
                fields.has("witnesses") ? fields.smallNumber("witnesses") : 0,
                fields.list("nodes", RecordJson::node),
                fields.list("goals", RecordJson::goal));
    }

    private static KnownNode node(JsonFields fields) {
        return new KnownNode(
                new Node(
                        fields.smallNumber("number"),
                        fields.text("zone"),
                        fields.smallNumber("weight"),
                        fields.constant("state", NodeState.values())),
                new NodeAddresses(
                        fields.parsed("clients", RecordJson::address),
                        fields.parsed("raft", RecordJson::address),
                        fields.parsed("links", RecordJson::address),
                        fields.has("tlsPort")
                                ? OptionalInt.of(fields.numberWithin("tlsPort", 1, PORT_MAX))
                                : OptionalInt.empty(),
                        fields.has("tlsOnly") && fields.flag("tlsOnly")));
    }

    private static Goal goal(JsonFields fields) {
        Map<Integer, Role> roles = new TreeMap<>();
        List<Integer> nodes = fields.texts("nodes", Integer::valueOf);
        nodes.forEach(node -> roles.put(node, Role.MIRROR));
        if (fields.has("witnesses")) {
            fields.texts("witnesses", Integer::valueOf).forEach(node -> roles.put(node, Role.WITNESS));
        }
        return new Goal(fields.smallNumber("stripe"), roles, fields.smallNumber("leader"));
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        int port = Integer.parseInt(text.substring(colon + 1));
        if (colon < 1 || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("it is not HOST:PORT: " + text);
        }
        String host = text.substring(0, colon);
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(host), port);
        } catch (IllegalArgumentException e) { // it is a name
            return InetSocketAddress.createUnresolved(host, port);
        }
    }
}
