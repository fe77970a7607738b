package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Porcupine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: nodes as processes, clients that call all the time, faults by a schedule, and checks at the end.
 *
 * <pre>
 * load ------------------------------------------------| all is read once more | kill -9 of all
 *      fault  fault  fault ... | all run, none is cut  |                       | stores are equal? history has an order?
 * </pre>
 */
final class Campaign implements AutoCloseable {

    /** How many members a stripe has, and how many nodes an array without others. */
    static final int NODES = 3;

    /** The number of further hosts: one for an added node, and two for nodes that replace lost ones. */
    static final int MORE_HOSTS = 3;

    static final int HOSTS = NODES + MORE_HOSTS;

    private static final int CLIENTS = 8;
    private static final Duration ELECTION_MOST = Duration.ofMinutes(2);
    private static final int LOOK_AGAIN_MILLIS = 50;
    private static final int LINES_TOLD = 60;

    private final Cluster cluster;
    private final Load load;
    private final Network network;
    private final Operator operator;

    Campaign(Path directory, Network network, Schedule schedule) {
        this(
                directory,
                network,
                schedule.seed(),
                schedule.nodes(),
                schedule.witness() ? 1 : 0,
                !schedule.clocks(),
                schedule.clocks() ? Plant.clocksThatStep(directory.resolve("planted")) : null);
    }

    /** A run with three mirrors in each stripe, and a fault planted in the nodes. */
    Campaign(Path directory, Network network, long seed, @Nullable Path planted) {
        this(directory, network, seed, NODES, 0, true, planted);
    }

    private Campaign(
            Path directory,
            Network network,
            long seed,
            int nodes,
            int witnesses,
            boolean lifetimes,
            @Nullable Path planted) {
        this.network = network;
        try {
            this.cluster = new Cluster(directory, network, nodes, witnesses, planted);
        } catch (RuntimeException | Error e) {
            network.close();
            throw e;
        }
        this.operator = new Operator(network, cluster);
        this.load = new Load(network, nodes, CLIENTS, seed, lifetimes);
    }

    Cluster cluster() {
        return cluster;
    }

    Load load() {
        return load;
    }

    /** Prints the progress of a run. These lines help to examine a run that does not end. */
    static void tell(String what) {
        System.out.println(LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS) + " " + what);
    }

    /** Waits until {@code count} more calls are answered. */
    void answers(long count) {
        tell("waits for " + count + " answers, has had " + load.history().answered());
        long least = load.history().answered() + count;
        Progress progress = new Progress();
        for (long had = load.history().answered();
                had < least;
                had = load.history().answered()) {
            assertThat(progress.goesOn(had))
                    .as("there are %d answers, and no more", had)
                    .isTrue();
            Faults.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    void bringAbout(Schedule schedule) {
        try {
            new Faults(cluster, operator, load).bringAbout(schedule);
        } catch (RuntimeException | Error e) {
            tellNodes();
            throw e;
        }
    }

    /** Prints what a reader needs who cannot see the machine: the last lines and the waiting threads of each node. */
    private void tellNodes() {
        cluster.nodes()
                .forEach(node -> tell("node " + node + " said last:\n" + lastLines(cluster.logged(node))
                        + "\nand these of its threads wait:\n" + cluster.blocked(node)));
    }

    /** Returns the node that leads the first stripe, once there is one. */
    int awaitLeader() {
        return await().atMost(ELECTION_MOST).until(cluster::leader, node -> node >= 0);
    }

    /** Cuts off a node that leads the first stripe, until another one leads and {@code answers} more calls are answered. */
    void replace(int former, long answers) {
        List<Integer> others =
                cluster.nodes().stream().filter(node -> node != former).toList();
        for (int other : others) {
            network.cut(former, other);
            network.cut(other, former);
        }
        await().atMost(ELECTION_MOST).until(() -> others.stream().anyMatch(cluster::leads));
        tell("leader " + former + " is cut off, and has a successor");
        answers(answers);
        network.heal();
    }

    /** Ends moves and load, reads all keys, and stops the nodes. Returns what is wrong. */
    List<String> judge() {
        List<String> wrong = judgeCalls();
        if (!becomesEqual()) {
            wrong.add("the members do not apply the same entries: " + applied());
            tellNodes();
        }
        tell("compares the stores");
        List<SortedMap<Integer, Long>> members = applied();
        cluster.endAll(); // else entries since the last kept moment would come again
        for (int stripe = 0; stripe < members.size(); stripe++) {
            compare(stripe, List.copyOf(members.get(stripe).keySet()), wrong);
        }
        tell("has found " + wrong);
        if (!wrong.isEmpty()) {
            cluster.nodes().forEach(node -> tell("node " + node + " said last:\n" + lastLines(cluster.logged(node))));
        }
        return wrong;
    }

    private static String lastLines(String text) {
        List<String> lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_TOLD), lines.size()));
    }

    /**
     * Ends moves and load, and reads all keys. Returns what is wrong with the replies to clients. Does not compare the stores.
     */
    List<String> judgeCalls() {
        List<String> wrong = new ArrayList<>();
        network.heal();
        cluster.startAll();
        tell(operator.endMoves() + " wishes have come true");
        load.end();
        tell("reads all, has had " + load.history().outcomes());
        long total = load.readAll();
        if (total < load.counted() || total > load.counted() + load.openTotals()) {
            wrong.add("the total is " + total + ", and " + load.counted() + " increments were acknowledged, "
                    + load.openTotals() + " open");
        }
        tell("judges " + load.history().lines().size() + " calls");
        Optional<String> misfit = Porcupine.misfit("string", load.history().lines());
        misfit.ifPresent(found -> wrong.add(found + "\nthe system's clock has moved by "
                + load.history().clockMovedMillis() + " ms against the history's"));
        wrong.addAll(load.history().ids().wrong());
        tell("calls: " + wrong);
        return wrong;
    }

    private void compare(int stripe, List<Integer> nodes, List<String> wrong) {
        SortedMap<Integer, Map<String, String>> mirrors = new TreeMap<>();
        nodes.forEach(node -> cluster.content(node, stripe).ifPresent(content -> mirrors.put(node, content)));
        if (mirrors.size() < NODES - cluster.witnesses()) {
            wrong.add("of nodes " + nodes + " only " + mirrors.keySet() + " have a store of stripe " + stripe);
            return;
        }
        int first = mirrors.firstKey();
        mirrors.forEach((node, content) -> {
            if (!content.equals(mirrors.get(first))) {
                wrong.add("the stores of stripe " + stripe + " on nodes " + first + " and " + node + " differ");
            }
        });
    }

    private List<SortedMap<Integer, Long>> applied() {
        return IntStream.range(0, NodeProgram.STRIPES)
                .mapToObj(cluster::applied)
                .toList();
    }

    private static boolean isEqual(SortedMap<Integer, Long> applied) {
        return applied.size() == NODES && applied.values().stream().distinct().count() == 1;
    }

    private boolean becomesEqual() {
        Progress progress = new Progress();
        for (List<SortedMap<Integer, Long>> now = applied();
                !now.stream().allMatch(Campaign::isEqual);
                now = applied()) {
            if (!progress.goesOn(now)) {
                return false;
            }
            Faults.sleep(LOOK_AGAIN_MILLIS);
        }
        return true;
    }

    @Override
    public void close() {
        try (network;
                cluster;
                operator) {
            load.abandon();
        }
    }
}
