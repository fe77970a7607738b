package dev.larder.array.link;

/** A listener for hosts that refuse connections: their nodes have ended. Called in the thread of the links; must not wait. */
@FunctionalInterface
public interface RefusalListener {

    /**
     * Called when a node's host has refused a connection.
     *
     * @param times how many refusals there were since the node was last linked, including this one
     */
    void refused(int node, int times);
}
