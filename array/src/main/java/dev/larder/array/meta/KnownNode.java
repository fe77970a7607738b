package dev.larder.array.meta;

import dev.larder.array.NodeAddresses;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;

/**
 * A node of the array's record.
 *
 * @param node its number, its zone, and whether it is to have members
 * @param addresses the addresses on which it listens
 */
public record KnownNode(Node node, NodeAddresses addresses) {

    /** Returns the number of the node. */
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
