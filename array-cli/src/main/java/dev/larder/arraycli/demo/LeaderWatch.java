package dev.larder.arraycli.demo;

import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayStatus;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.arraycli.state.NodeStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asks the nodes for their status again and again. */
final class LeaderWatch implements AutoCloseable {

    private static final long PAUSE_MILLIS = 200;

    private final ArrayDescription description;
    private final Thread thread;
    private volatile ArrayStatus latest;

    LeaderWatch(ArrayDescription description) {
        this.description = description;
        this.latest = new ArrayStatus(description.array(), description.stripes(), List.of(), Optional.empty());
        this.thread = Thread.ofPlatform().daemon().name("larder-demo-status").start(this::watch);
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                latest = ArrayStatus.ask(description, NodeAccess.OPEN);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the last reports of the nodes. */
    ArrayStatus latest() {
        return latest;
    }

    /** Returns whether a node leads any stripe. */
    boolean isLeading(int number) {
        return latest.nodes().stream()
                .anyMatch(node -> node.node() == number && !node.leads().isEmpty());
    }

    /** Returns whether each stripe is led by another node than a given one. */
    boolean isServingWithout(int number) {
        return latest.isServing() && !isLeading(number);
    }

    /** Returns whether all nodes answer, and each stripe is led. */
    boolean isWhole() {
        return latest.nodes().size() == description.nodes().size()
                && latest.nodes().stream().allMatch(NodeStatus::isThere)
                && latest.isServing();
    }

    /** Returns the number of the leading node of each stripe, in the order of the stripes; {@code -} for none. */
    String leaders() {
        ArrayStatus status = latest;
        return IntStream.range(0, status.stripes())
                .mapToObj(stripe -> status.nodes().stream()
                        .filter(node -> node.leads().contains(stripe))
                        .map(node -> Integer.toString(node.node()))
                        .findFirst()
                        .orElse("-"))
                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
