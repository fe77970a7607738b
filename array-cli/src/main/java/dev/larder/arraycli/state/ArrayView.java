package dev.larder.arraycli.state;

import dev.larder.array.MemberName;
import dev.larder.array.NodeAddresses;
import dev.larder.array.form.RecordJson;
import dev.larder.array.form.TopologyJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Condition;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.NextSteps;
import dev.larder.array.plan.Step;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Target;
import dev.larder.array.plan.Topology;
import dev.larder.memory.LarderException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * An array's record, and its stripes as their leaders see them.
 *
 * @param array its identity
 * @param record the newest record that any node knows
 * @param topology its nodes, and the stripes that have a leader
 */
public record ArrayView(UUID array, ArrayRecord record, Topology topology) {

    private static final int TIMEOUT_MILLIS = 2_000;
    private static final long PATIENCE_MILLIS = 20_000;
    private static final long POLL_MILLIS = 200;

    /** Reports that a node belongs to another array. */
    private static final class OtherArrayException extends IllegalArgumentException {

        @Serial
        private static final long serialVersionUID = 1L;

        OtherArrayException(String message) {
            super(message);
        }
    }

    /** The answer of a node. */
    private record Said(ArrayRecord record, Topology topology) {}

    /**
     * Asks all nodes.
     *
     * @throws LarderException if no node answers
     */
    public static ArrayView ask(ArrayDescription description, NodeAccess access) {
        SortedMap<Integer, NodeAddresses> nodes = new TreeMap<>(description.nodes());
        List<Said> said = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        UUID array = description.array();
        nodes.forEach((node, addresses) -> ask(array, node, addresses, access, said, failures));
        if (said.isEmpty()) {
            throw new LarderException("no node answers: " + String.join("; ", failures));
        }
        ArrayRecord record = newest(said);
        record.nodes().stream() // nodes that are missing in the file
                .filter(node -> !nodes.containsKey(node.number()))
                .forEach(node -> ask(array, node.number(), node.addresses(), access, said, failures));
        Map<Integer, Stripe> stripes = new TreeMap<>();
        for (Said one : said) {
            one.topology
                    .stripes()
                    .forEach(stripe -> stripes.merge(
                            stripe.number(), stripe, (known, other) -> other.epoch() > known.epoch() ? other : known));
        }
        return new ArrayView(array, record, record.topology(array, List.copyOf(stripes.values())));
    }

    /** Asks all nodes; returns empty if no node answers. */
    static Optional<ArrayView> askIfThere(ArrayDescription description, NodeAccess access) {
        try {
            return Optional.of(ask(description, access));
        } catch (LarderException e) { // the status of each node gives the reason
            return Optional.empty();
        }
    }

    /** Returns the addresses of all nodes that the description names, or the record if a node answers. */
    static SortedMap<Integer, NodeAddresses> addresses(ArrayDescription description, NodeAccess access) {
        SortedMap<Integer, NodeAddresses> addresses = new TreeMap<>(description.nodes());
        askIfThere(description, access)
                .ifPresent(
                        view -> view.record().nodes().forEach(node -> addresses.put(node.number(), node.addresses())));
        return addresses;
    }

    private static ArrayRecord newest(List<Said> said) {
        return said.stream()
                .map(Said::record)
                .max(Comparator.comparingLong(ArrayRecord::version))
                .orElseThrow();
    }

    private static void ask(
            UUID array, int node, NodeAddresses addresses, NodeAccess access, List<Said> said, List<String> failures) {
        try (Jedis client = access.connect(addresses, TIMEOUT_MILLIS)) {
            said(client, array).ifPresent(said::add);
        } catch (JedisException | IllegalArgumentException e) {
            failures.add("node " + node + ": " + e.getMessage());
        }
    }

    /**
     * Returns the answer of a node; empty if it is another one than expected.
     *
     * @throws IllegalArgumentException if the node belongs to another array
     */
    private static Optional<Said> said(Jedis client, UUID array) {
        Object reply = client.sendCommand(Protocol.Command.CLUSTER, "TOPOLOGY");
        if (!(reply instanceof List<?> parts) || parts.size() != 2) {
            return Optional.empty();
        }
        Said said = new Said(RecordJson.read(text(parts.get(0))), TopologyJson.read(text(parts.get(1))));
        if (said.topology.seed() != ArrayRecord.seed(array)) { // its addresses may have been those of a former array
            throw new OtherArrayException("it belongs to another array than " + array);
        }
        return Optional.of(new Said(said.record.withAddresses(NodeAddresses::lookedUp), said.topology));
    }

    /**
     * Requires that a description is not that of another array, whose nodes have its addresses now.
     *
     * @throws LarderException if nodes of another array answer, and no node of the described one does
     */
    public static void requireNoOther(ArrayDescription description, NodeAccess access) {
        List<String> others = new ArrayList<>();
        for (Map.Entry<Integer, NodeAddresses> node : description.nodes().entrySet()) {
            try (Jedis client = access.connect(node.getValue(), TIMEOUT_MILLIS)) {
                if (said(client, description.array()).isPresent()) {
                    return;
                }
            } catch (OtherArrayException e) {
                others.add("node " + node.getKey() + ": " + e.getMessage());
            } catch (JedisException | IllegalArgumentException e) {
                // it may answer later
            }
        }
        if (!others.isEmpty()) {
            throw new LarderException(String.join("; ", others));
        }
    }

    private static String text(@Nullable Object part) {
        return part instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /**
     * Makes the members of stripe 0 agree on the next record.
     *
     * @throws LarderException if another change came first, or no node accepts the record
     */
    public void propose(ArrayDescription description, NodeAccess access, ArrayRecord next) {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        String json = RecordJson.write(next);
        while (System.nanoTime() - deadline < 0) {
            record.nodes().forEach(node -> propose(node.addresses(), access, array, json));
            pause();
            ArrayRecord now = ask(description, access).record;
            if (now.equals(next)) {
                return;
            }
            if (now.version() >= next.version()) {
                throw new LarderException("another command has changed the array, to version " + now.version()
                        + "; check it and try again");
            }
        }
        throw new LarderException("no node has accepted the change within " + PATIENCE_MILLIS / 1000
                + " s; stripe 0 stores it, and needs a leader");
    }

    private static void propose(NodeAddresses addresses, NodeAccess access, UUID array, String json) {
        try (Jedis client = access.connect(addresses, TIMEOUT_MILLIS)) {
            if (said(client, array).isPresent()) {
                client.sendCommand(Protocol.Command.CLUSTER, "PROPOSE", json);
            }
        } catch (JedisDataException e) {
            String error = String.valueOf(e.getMessage());
            if (!error.startsWith("MOVED") && !error.startsWith("CLUSTERDOWN")) {
                throw new LarderException(error, e);
            }
        } catch (JedisException | IllegalArgumentException e) {
            // another node leads, or no node does now, or it belongs to another array
        }
    }

    /** Waits for a moment, ahead of another question. */
    public static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted while waiting for a node", e);
        }
    }

    /** Returns the stripes that no node leads, or whose members are being changed. */
    public SortedSet<Integer> missing() {
        SortedSet<Integer> missing =
                IntStream.range(0, record.goals().size()).boxed().collect(Collectors.toCollection(TreeSet::new));
        topology.stripes().forEach(stripe -> missing.remove(stripe.number()));
        return missing;
    }

    /**
     * Returns the topology with all stripes. A stripe that no node reports is assumed to have the members of its goal, and no leader:
     * so it takes no step, and its members count where they are planned.
     */
    public Topology assumed() {
        List<Stripe> all = new ArrayList<>(topology.stripes());
        missing().forEach(number -> all.add(assumed(record.goals().get(number))));
        return record.topology(array, all);
    }

    private static Stripe assumed(Goal goal) {
        List<Member> members = new ArrayList<>();
        goal.roles()
                .forEach((node, role) ->
                        members.add(new Member(new MemberName(node, 0), role, true, Condition.CURRENT)));
        return new Stripe(goal.stripe(), members, Optional.empty(), 0, Map.of());
    }

    /** Returns the next step of each stripe that has not reached its goal. */
    public List<Step> moves() {
        Target target = new Target(
                record.goals().stream()
                        .filter(goal -> !missing().contains(goal.stripe()))
                        .toList(),
                1);
        return NextSteps.of(topology, target, Math.max(1, record.goals().size()));
    }

    /** Returns whether each stripe has reached its goal. */
    public boolean isReached() {
        return missing().isEmpty()
                && topology.stripes().stream()
                        .allMatch(stripe -> record.goals().get(stripe.number()).isReached(stripe));
    }

    /** Returns how many members a node has or is to have. */
    public long members(int node) {
        return assumed().stripes().stream()
                .filter(stripe -> record.goals().get(stripe.number()).roles().containsKey(node)
                        || stripe.members().stream().anyMatch(member -> member.node() == node))
                .count();
    }
}
