package dev.larder.array.meta;

import dev.larder.array.NodeAddresses;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;

/**
 * A node of the array's record.
 *
 * @param node its number, where it stands, and whether it is to have members
 * @param addresses where it listens
 */
public record KnownNode(Node node, NodeAddresses addresses) {

    /** Returns its number. */
    public int number() {
        return node.number();
    }

    KnownNode withAddresses(NodeAddresses others) {
        return new KnownNode(node, others);
    }

    KnownNode withState(NodeState state) {
        return new KnownNode(node.withState(state), addresses);
    }
}
