package dev.larder.arraycli.state;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.MemberLag;
import dev.larder.array.form.PullState;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Step;
import dev.larder.cli.Columns;
import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

/**
 * The status of an array, by the reports of its nodes.
 *
 * @param array its identity
 * @param stripes how many stripes it has
 * @param nodes the reports of its nodes, by their numbers
 * @param view where the stripes are and are to be; empty if no node answers
 */
public record ArrayStatus(UUID array, int stripes, List<NodeStatus> nodes, Optional<ArrayView> view) {

    /** Creates a status; the list is copied. */
    public ArrayStatus {
        nodes = List.copyOf(nodes);
    }

    /** Asks all nodes of the description at the same time, and returns their reports. */
    public static ArrayStatus ask(ArrayDescription description, NodeAccess access) {
        return ask(description, access, Optional.empty());
    }

    /** Asks all nodes, including those that only the array's record knows. */
    public static ArrayStatus askAll(ArrayDescription description, NodeAccess access) {
        return ask(description, access, ArrayView.askIfThere(description, access));
    }

    private static ArrayStatus ask(ArrayDescription description, NodeAccess access, Optional<ArrayView> view) {
        StatusQuestion question = new StatusQuestion(description.stripes(), access);
        SortedMap<Integer, NodeAddresses> nodes = new TreeMap<>(description.nodes());
        view.ifPresent(seen -> nodes.keySet()
                .removeIf(node -> node < seen.record().nextNode()
                        && seen.record().node(node).isEmpty()));
        view.ifPresent(seen -> seen.record().nodes().forEach(node -> nodes.put(node.number(), node.addresses())));
        List<NodeStatus> answers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        nodes.forEach((node, addresses) -> threads.add(Thread.ofVirtual().start(() -> {
            NodeStatus answer = question.ask(node, addresses);
            synchronized (answers) {
                answers.add(answer);
            }
        })));
        threads.forEach(ArrayStatus::join);
        synchronized (answers) {
            answers.sort(Comparator.comparingInt(NodeStatus::node));
            return new ArrayStatus(description.array(), description.stripes(), answers, view);
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) { // the thread ends by its time-outs
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the stripes that no node leads. */
    public SortedSet<Integer> unled() {
        SortedSet<Integer> unled = IntStream.range(0, stripes).boxed().collect(Collectors.toCollection(TreeSet::new));
        nodes.forEach(node -> unled.removeAll(node.leads()));
        return unled;
    }

    /** Returns whether each stripe is led, so that all keys are served. */
    public boolean isServing() {
        return unled().isEmpty();
    }

    /** Returns how far members are behind, by stripe and node, except for the leader's own member. */
    public List<MemberLag> members() {
        return nodes.stream()
                .flatMap(node -> node.lag().members().stream())
                .sorted(Comparator.comparingInt(MemberLag::stripe).thenComparingInt(MemberLag::node))
                .toList();
    }

    /** Returns the pulls in progress. */
    public List<PullState> pulls() {
        return nodes.stream().flatMap(node -> node.lag().pulls().stream()).toList();
    }

    /** Returns the status as lines for people. */
    public List<String> lines() {
        Columns columns = new Columns("node", "address", "state", "leads stripes", ">keys", ">up seconds");
        for (NodeStatus node : nodes) {
            columns.row(
                    Integer.toString(node.node()),
                    node.address(),
                    node.isThere() ? "up" : "down",
                    node.leads().isEmpty() ? "-" : numbers(node.leads()),
                    node.isThere() ? Long.toString(node.keys()) : "-",
                    node.info().getOrDefault("uptime_in_seconds", "-"));
        }
        List<String> lines = new ArrayList<>(columns.lines());
        nodes.stream()
                .filter(node -> !node.isThere())
                .forEach(node -> lines.add("node " + node.node() + " does not answer: " + node.failure()));
        lines.add((stripes - unled().size()) + " of " + stripes + " stripes have a leader"
                + (isServing() ? "" : "; without a leader: " + numbers(unled())));
        lines.addAll(LagForm.lines(members(), pulls()));
        view.ifPresent(seen -> {
            seen.record().nodes().stream()
                    .filter(node -> node.node().state() != NodeState.IN)
                    .forEach(node -> lines.add("node " + node.number() + " is "
                            + node.node().state().name().toLowerCase(Locale.ROOT) + ", and has "
                            + seen.members(node.number()) + " members"));
            seen.moves().forEach(step -> lines.add("under way: " + step));
        });
        return lines;
    }

    private static String numbers(SortedSet<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns the status for programs. */
    public Figures figures() {
        return new Figures()
                .put("array", array)
                .put("stripes", stripes)
                .put("not_led", unled())
                .put("nodes", nodes.stream().map(ArrayStatus::figures).toList())
                .put("members", members().stream().map(LagForm::figures).toList())
                .put("pulls", pulls().stream().map(LagForm::figures).toList())
                .put("version", view.map(seen -> seen.record().version()).orElse(null))
                .put(
                        "moves",
                        view.map(seen -> seen.moves().stream()
                                        .map(Step::toString)
                                        .toList())
                                .orElse(List.of()));
    }

    private static Figures figures(NodeStatus node) {
        return new Figures()
                .put("node", node.node())
                .put("address", node.address())
                .put("up", node.isThere())
                .put("leads", node.leads())
                .put("keys", node.keys())
                .put("uptime_seconds", number(node.info(), "uptime_in_seconds"))
                .put("clients", number(node.info(), "connected_clients"))
                .put("failure", node.isThere() ? null : node.failure());
    }

    private static @Nullable Long number(Map<String, String> info, String name) {
        String text = info.getOrDefault(name, "");
        return text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }
}
