package dev.larder.arraycli.state;

import dev.larder.array.form.LagReport;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The status of a node, as the node reports it.
 *
 * @param node its number
 * @param address where it listens for clients
 * @param leads the stripes that it leads: it has just answered a read of each, confirmed by a majority
 * @param keys how many keys these stripes have
 * @param info the lines of {@code INFO}, by their names; empty if the node has not answered
 * @param lag the members that are behind, of the stripes that it leads, and its pulls
 * @param failure why the node has not answered; empty if it has
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

    /** Creates the status of a node; the collections are copied. */
    public NodeStatus {
        leads = new TreeSet<>(leads);
        info = Map.copyOf(info);
    }

    /** Returns the status of a node that has not answered. */
    static NodeStatus silent(int node, String address, String failure) {
        return new NodeStatus(node, address, new TreeSet<>(List.of()), 0, Map.of(), NO_LAG, failure);
    }

    /** Returns whether the node has answered. */
    public boolean isThere() {
        return failure.isEmpty();
    }
}
