package dev.larder.array.campaign;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.RecordJson;
import dev.larder.array.form.TopologyJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Planner;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Stripe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operator of an array: adds nodes, moves members and replaces lost nodes, with the commands that {@code larder array} sends.
 * It does one thing at a time, in a thread that is where the clients are.
 */
final class Operator implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long MOVE_MOST_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int LOOK_AGAIN_MILLIS = 200;

    /** One wish in this many comes from the planner, for all stripes. */
    private static final int REBALANCE_ONE_IN = 4;

    private final Network network;
    private final Cluster cluster;
    private final ExecutorService thread;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger moved = new AtomicInteger();
    private CompletableFuture<Void> moves = CompletableFuture.completedFuture(null);

    /** The newest record of any node, and the stripes that have a leader and do not change just now. */
    private record View(ArrayRecord record, Map<Integer, Stripe> stripes) {

        /** Returns a value that changes when members come, catch up and go. */
        Object progress() {
            return List.of(
                    record.version(),
                    stripes.values().stream().map(Stripe::members).toList());
        }

        boolean isWhole() {
            return stripes.size() == record.goals().size();
        }

        /** Returns whether all members are where they are to be, whichever node leads. */
        boolean isReached() {
            return isWhole()
                    && record.goals().stream().allMatch(goal -> {
                        Stripe stripe = stripes.get(goal.stripe());
                        return stripe != null
                                && stripe.leader().isPresent()
                                && new Goal(
                                                goal.stripe(),
                                                goal.roles(),
                                                stripe.leader().get().node())
                                        .isReached(stripe);
                    });
        }

        /** Returns the next record, with the stripes where the planner puts them. */
        ArrayRecord planned(ArrayRecord next) {
            return next.withGoals(Planner.target(next.topology(NodeProgram.ARRAY, List.copyOf(stripes.values())))
                    .goals());
        }
    }

    Operator(Network network, Cluster cluster) {
        this.network = network;
        this.cluster = cluster;
        this.thread = Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().daemon().name("campaign operator").unstarted(() -> {
                    network.enter();
                    task.run();
                }));
    }

    /** Adds a node that does not run yet to the array. Returns its number. */
    int add() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            int number = look().record().nextNode();
                            change(view -> view.record().node(number).isPresent()
                                    ? view.record()
                                    : view.record()
                                            .adding(ArrayRecord.zone(number), 1, addresses(network.addresses(number))));
                            return number;
                        },
                        thread)
                .join();
    }

    private static NodeAddresses addresses(String text) {
        String[] parts = text.split(":", -1);
        return new NodeAddresses(
                NodeProgram.address(parts, 1), NodeProgram.address(parts, 2), NodeProgram.address(parts, 3));
    }

    /** Lets others take the place of a node that does not come back. Returns once they have. */
    void replace(int lost) {
        CompletableFuture.runAsync(
                        () -> {
                            change(view -> view.isWhole()
                                    ? view.planned(view.record().withState(lost, NodeState.LOST))
                                    : null);
                            awaitReached();
                            change(view -> view.record().without(lost));
                        },
                        thread)
                .join();
    }

    /**
     * Moves members from now on, until {@link #endMoves}: each stripe to random nodes and a random leader, and by the planner.
     */
    void beginMoves(SplittableRandom random) {
        moves = CompletableFuture.runAsync(() -> move(random), thread).thenCompose(done -> goOn(random));
    }

    private CompletableFuture<Void> goOn(SplittableRandom random) {
        return ended.get()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(() -> move(random), thread).thenCompose(done -> goOn(random));
    }

    private void move(SplittableRandom random) {
        boolean rebalances = random.nextInt(REBALANCE_ONE_IN) == 0;
        long chance = random.nextLong();
        ArrayRecord wished = change(view -> {
            if (!view.isWhole()) {
                return null;
            }
            ArrayRecord next = view.record().withVersion(view.record().version() + 1);
            return rebalances ? view.planned(next) : next.withGoals(goals(next, new SplittableRandom(chance)));
        });
        Campaign.tell("wishes " + wished.goals());
        if (isReachedSoon()) {
            moved.incrementAndGet();
        }
    }

    /** Returns goals in which one random stripe is elsewhere. */
    private static List<Goal> goals(ArrayRecord record, SplittableRandom random) {
        List<Goal> goals = new ArrayList<>(record.goals());
        int stripe = random.nextInt(goals.size());
        List<Integer> nodes = new ArrayList<>(record.nodes().stream()
                .filter(known -> known.node().state() == NodeState.IN)
                .map(known -> known.number())
                .toList());
        while (nodes.size() > record.mirrors() + record.witnesses()) {
            nodes.remove(/* index */ random.nextInt(nodes.size()));
        }
        Map<Integer, Role> roles = new TreeMap<>();
        while (nodes.size() > record.mirrors()) {
            roles.put(nodes.remove(/* index */ random.nextInt(nodes.size())), Role.WITNESS);
        }
        nodes.forEach(node -> roles.put(node, Role.MIRROR));
        goals.set(stripe, new Goal(stripe, roles, nodes.get(random.nextInt(nodes.size()))));
        return goals;
    }

    /** Ends the moves, once the last wish has come true or has timed out. Returns how many wishes have come true. */
    int endMoves() {
        ended.set(true);
        moves.join();
        return moved.get();
    }

    /** Changes the record. A change that is lost with a leadership is proposed again. */
    private ArrayRecord change(Function<View, @Nullable ArrayRecord> change) {
        Progress progress = new Progress();
        for (View view = look(); progress.goesOn(view.progress()); view = look()) {
            ArrayRecord next = change.apply(view);
            if (next != null) {
                if (next.equals(view.record())) {
                    return next;
                }
                propose(next);
            }
            Faults.sleep(LOOK_AGAIN_MILLIS);
            if (next != null && look().record().equals(next)) {
                return next;
            }
        }
        throw new AssertionError("nobody takes a change of the record: " + look());
    }

    private void awaitReached() {
        Progress progress = new Progress();
        for (View view = look(); !view.isReached(); view = look()) {
            if (!progress.goesOn(view.progress())) {
                throw new AssertionError("the members do not become what they are to be: " + view);
            }
            Faults.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    /** Returns whether all members get where they are to be in the time that a wish has. */
    private boolean isReachedSoon() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < MOVE_MOST_NANOS) {
            if (look().isReached()) {
                return true;
            }
            Faults.sleep(LOOK_AGAIN_MILLIS);
        }
        return false;
    }

    private void propose(ArrayRecord next) {
        String json = RecordJson.write(next);
        cluster.nodes().forEach(node -> ask(node, List.of("CLUSTER", "PROPOSE", json)));
    }

    private View look() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < PATIENCE_NANOS) {
            ArrayRecord newest = null;
            Map<Integer, Stripe> stripes = new TreeMap<>();
            for (int node : cluster.nodes()) {
                Optional<Reply> reply = ask(node, List.of("CLUSTER", "TOPOLOGY"));
                if (reply.isEmpty() || reply.get().parts().size() != 2) {
                    continue;
                }
                ArrayRecord record =
                        RecordJson.read(reply.get().parts().getFirst().text());
                newest = newest == null || newest.version() < record.version() ? record : newest;
                TopologyJson.read(reply.get().parts().getLast().text())
                        .stripes()
                        .forEach(stripe -> stripes.merge(
                                stripe.number(),
                                stripe,
                                (known, other) -> other.epoch() > known.epoch() ? other : known));
            }
            if (newest != null) {
                return new View(newest, stripes);
            }
            Faults.sleep(LOOK_AGAIN_MILLIS);
        }
        throw new AssertionError("no node answers");
    }

    /** Asks a node; empty if it does not answer, or refuses. */
    private Optional<Reply> ask(int node, List<String> words) {
        try (Connection connection =
                new Connection(addresses(network.addresses(node)).clients())) {
            Reply reply = connection.send(List.of(words)).getFirst();
            return reply.isError() ? Optional.empty() : Optional.of(reply);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        ended.set(true);
        thread.shutdownNow();
    }
}
