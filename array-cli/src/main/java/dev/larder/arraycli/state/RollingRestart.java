package dev.larder.arraycli.state;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.MemberLag;
import dev.larder.array.plan.Stripe;
import dev.larder.memory.LarderException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Restarts the nodes of an array one after the other, so that each stripe always has a majority:
 *
 * <pre>
 * all have caught up -> others lead what the node leads -> it is restarted -> it is another process -> all have caught up -> next
 * </pre>
 */
public final class RollingRestart {

    private static final int TIMEOUT_MILLIS = 2_000;
    private static final long POLL_MILLIS = 500;

    /** How often in a row all must have caught up: a leader's knowledge of a node may be from before the restart. */
    private static final int LOOKS = 4;

    private static final long HAND_OVER_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** A member that lacks so few entries, or for so short a time, has caught up: clients continue to write. */
    private static final long ENTRIES_MOST = 100;

    private static final long LAG_MOST_MILLIS = 2_000;
    private static final String RUN = "run_id";

    /**
     * The turn of a node.
     *
     * @param leads the stripes that it leads now
     */
    public record Turn(int node, SortedSet<Integer> leads) {}

    private final ArrayDescription description;
    private final NodeAccess access;
    private final long patienceNanos;

    /**
     * Creates a restart of all nodes.
     *
     * @param patienceSeconds how long to wait until a node comes back, or until all members catch up
     */
    public RollingRestart(ArrayDescription description, NodeAccess access, long patienceSeconds) {
        this.description = description;
        this.access = access;
        this.patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
    }

    /**
     * Returns the nodes in the order of their turns: those that lead the fewest stripes come first.
     *
     * @throws LarderException if a node does not answer, or a stripe has no majority without one of its nodes
     */
    public List<Turn> turns() {
        ArrayStatus status = ArrayStatus.askAll(description, access);
        ArrayView view =
                status.view().orElseThrow(() -> new LarderException("no node answers: upgrade needs all nodes"));
        for (Stripe stripe : view.topology().stripes()) {
            long voters = stripe.voters().count();
            if (voters - 1 < voters / 2 + 1) {
                throw new LarderException("stripe " + stripe.number() + " has " + voters
                        + " members that vote: it has no majority while one restarts");
            }
        }
        status.nodes().stream().filter(node -> !node.isThere()).findFirst().ifPresent(node -> {
            throw new LarderException("node " + node.node() + " does not answer: " + node.failure());
        });
        return status.nodes().stream()
                .sorted(Comparator.<NodeStatus>comparingInt(node -> node.leads().size())
                        .thenComparingInt(NodeStatus::node))
                .map(node -> new Turn(node.node(), node.leads()))
                .toList();
    }

    /**
     * Restarts a node, and waits until all members have caught up again.
     *
     * @param restart restarts the node, or asks a person to; it need not wait until the node is back
     * @throws LarderException if that takes too long: the other nodes are not restarted then
     */
    public void restart(int node, IntConsumer restart) {
        awaitCaughtUp("before the restart of node " + node);
        String before = run(node).orElseThrow(() -> new LarderException("node " + node + " does not answer"));
        handOver(node);
        restart.accept(node);
        await(
                () -> run(node).filter(run -> !run.equals(before)).isPresent(),
                1,
                patienceNanos,
                "node " + node + " has not restarted, or does not answer");
        awaitCaughtUp("after the restart of node " + node);
    }

    private void awaitCaughtUp(String when) {
        await(
                this::isCaughtUp,
                LOOKS,
                patienceNanos,
                "some members have not caught up " + when + "; larder array status names them");
    }

    private static void await(BooleanSupplier condition, int times, long mostNanos, String failure) {
        long end = System.nanoTime() + mostNanos;
        int inRow = 0;
        while (inRow < times) {
            inRow = condition.getAsBoolean() ? inRow + 1 : 0;
            if (inRow < times) {
                if (System.nanoTime() - end > 0) {
                    throw new LarderException(
                            failure + " (waited " + TimeUnit.NANOSECONDS.toSeconds(mostNanos) + " s)");
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted while waiting for a node", e);
        }
    }

    /** Returns whether all nodes are there, all stripes are led, and each member has all or nearly all entries of its leader. */
    private boolean isCaughtUp() {
        ArrayStatus status = ArrayStatus.askAll(description, access);
        return status.isServing()
                && status.nodes().stream().allMatch(NodeStatus::isThere)
                && status.pulls().isEmpty()
                && status.view().filter(view -> view.missing().isEmpty()).isPresent()
                && hasAllMembers(status)
                && status.members().stream().allMatch(RollingRestart::isCaughtUp);
    }

    /** Returns whether all members are reported. A new leader may not have reported its members yet. */
    private static boolean hasAllMembers(ArrayStatus status) {
        Map<Integer, Long> told =
                status.members().stream().collect(Collectors.groupingBy(MemberLag::stripe, Collectors.counting()));
        return status.view().stream()
                .flatMap(view -> view.topology().stripes().stream())
                .allMatch(stripe -> told.getOrDefault(stripe.number(), 0L)
                        >= stripe.voters().count() - 1);
    }

    private static boolean isCaughtUp(MemberLag member) {
        return member.runs()
                && member.isKnown()
                && (member.entries() <= ENTRIES_MOST || member.millis() <= LAG_MOST_MILLIS);
    }

    /** Makes other nodes lead first, so that no client waits for an election. A node that stops in order does this too. */
    private void handOver(int node) {
        try (Jedis client = client(node)) {
            client.sendCommand(Protocol.Command.CLUSTER, "HANDOVER");
        } catch (JedisException e) {
            throw new LarderException(
                    "node " + node + " cannot hand over the stripes that it leads: " + e.getMessage(), e);
        }
        long end = System.nanoTime() + HAND_OVER_NANOS;
        while (leads(node) && System.nanoTime() - end < 0) {
            pause();
        }
    }

    private boolean leads(int node) {
        return ArrayStatus.askAll(description, access).nodes().stream()
                .anyMatch(one -> one.node() == node && !one.leads().isEmpty());
    }

    /** Returns a node's identifier of its process; empty if it does not answer. */
    private Optional<String> run(int node) {
        try (Jedis client = client(node)) {
            return Optional.ofNullable(StatusQuestion.lines(client.info()).get(RUN));
        } catch (JedisException e) {
            return Optional.empty();
        }
    }

    private Jedis client(int node) {
        NodeAddresses addresses = ArrayView.addresses(description, access).get(node);
        if (addresses == null) {
            throw new LarderException("no node knows the address of node " + node);
        }
        return access.connect(addresses, TIMEOUT_MILLIS);
    }
}
