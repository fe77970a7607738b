package dev.larder.arraycli.state;

import dev.larder.array.form.LagReport;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a node has said of itself.
 *
 * @param node its number
 * @param address where it listens for clients
 * @param leads the stripes that it leads: it has just answered a read of each, which a majority has confirmed
 * @param keys how many keys these have
 * @param info what {@code INFO} has said, by its names; empty if the node has not answered
 * @param lag which members are behind, of the stripes that it leads, and what it pulls
 * @param failure why it has not answered; empty if it has
 */
public record NodeStatus(
        int node,
        String address,
        SortedSet<Integer> leads,
        long keys,
        Map<String, String> info,
        LagReport lag,
        String failure) {

    static final LagReport NO_LAG = new LagReport(List.of(), List.of());

    /** The status of a node; the collections are copied. */
    public NodeStatus {
        leads = new TreeSet<>(leads);
        info = Map.copyOf(info);
    }

    /** Returns that of a node that has not answered. */
    static NodeStatus silent(int node, String address, String failure) {
        return new NodeStatus(node, address, new TreeSet<>(List.of()), 0, Map.of(), NO_LAG, failure);
    }

    /** Returns whether the node has answered. */
    public boolean isThere() {
        return failure.isEmpty();
    }
}
