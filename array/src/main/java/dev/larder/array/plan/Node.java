package dev.larder.array.plan;

/**
 * A node of the array.
 *
 * @param number its number, which no other node ever has
 * @param zone its place: a unit that can fail as a whole, such as a rack or a site
 * @param weight its share of members compared with other nodes, 1 to {@value #WEIGHT_MAX}
 * @param state whether it is to have members
 */
public record Node(int number, String zone, int weight, NodeState state) {

    /** The greatest weight. */
    public static final int WEIGHT_MAX = 100;

    /** Creates a node; the weight must be in its range. */
    public Node {
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "node " + number + ": weight " + weight + " is not within 1 and " + WEIGHT_MAX);
        }
    }

    /** Returns the node in another state. */
    public Node withState(NodeState next) {
        return new Node(number, zone, weight, next);
    }

    /** Returns the node with another weight. */
    public Node withWeight(int next) {
        return new Node(number, zone, next, state);
    }
}
