package dev.larder.array.form;

import dev.larder.array.MemberName;
import dev.larder.array.plan.Condition;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.jr.ob.JSON;

/** A topology in JSON, as {@code docs/formats/array.md} describes it. */
public final class TopologyJson {

    private static final int VERSION = 1;

    private TopologyJson() {}

    /** Returns a topology in JSON. */
    public static String write(Topology topology) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", VERSION);
        fields.put("seed", Long.toString(topology.seed()));
        fields.put("mirrors", topology.mirrors());
        fields.put("witnesses", topology.witnesses());
        fields.put("nodes", topology.nodes().stream().map(TopologyJson::fields).toList());
        fields.put(
                "stripes", topology.stripes().stream().map(TopologyJson::fields).toList());
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields);
    }

    private static Map<String, Object> fields(Node node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", node.number());
        fields.put("zone", node.zone());
        fields.put("weight", node.weight());
        fields.put("state", JsonFields.name(node.state()));
        return fields;
    }

    private static Map<String, Object> fields(Stripe stripe) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", stripe.number());
        fields.put("epoch", stripe.epoch());
        stripe.leader().ifPresent(leader -> fields.put("leader", leader.toString()));
        fields.put(
                "members", stripe.members().stream().map(TopologyJson::fields).toList());
        fields.put("last", lastNames(stripe));
        return fields;
    }

    private static List<String> lastNames(Stripe stripe) {
        return new TreeMap<>(stripe.incarnations())
                .entrySet().stream()
                        .map(last -> new MemberName(last.getKey(), last.getValue()).toString())
                        .toList();
    }

    private static Map<String, Object> fields(Member member) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", member.name().toString());
        fields.put("role", JsonFields.name(member.role()));
        fields.put("votes", member.votes());
        fields.put("condition", JsonFields.name(member.condition()));
        return fields;
    }

    /**
     * Returns the topology in a text.
     *
     * @throws IllegalArgumentException if it is not JSON, or holds no topology; the message names the field
     */
    public static Topology read(String text) {
        return JsonFields.read(text, TopologyJson::topology);
    }

    private static Topology topology(JsonFields fields) {
        if (fields.number("version") != VERSION) {
            throw new IllegalArgumentException("version " + fields.number("version") + " is not " + VERSION);
        }
        return new Topology(
                fields.parsed("seed", Long::parseLong),
                fields.smallNumber("mirrors"),
                fields.smallNumber("witnesses"),
                fields.list("nodes", TopologyJson::node),
                fields.list("stripes", TopologyJson::stripe));
    }

    private static Node node(JsonFields fields) {
        return new Node(
                fields.smallNumber("number"),
                fields.text("zone"),
                fields.smallNumber("weight"),
                fields.constant("state", NodeState.values()));
    }

    private static Stripe stripe(JsonFields fields) {
        Map<Integer, Integer> incarnations = fields.texts("last", MemberName::parse).stream()
                .collect(Collectors.toMap(MemberName::node, MemberName::incarnation));
        return new Stripe(
                fields.smallNumber("number"),
                fields.list("members", TopologyJson::member),
                fields.has("leader") ? Optional.of(fields.parsed("leader", MemberName::parse)) : Optional.empty(),
                fields.number("epoch"),
                incarnations);
    }

    private static Member member(JsonFields fields) {
        return new Member(
                fields.parsed("name", MemberName::parse),
                fields.constant("role", Role.values()),
                fields.flag("votes"),
                fields.constant("condition", Condition.values()));
    }
}
