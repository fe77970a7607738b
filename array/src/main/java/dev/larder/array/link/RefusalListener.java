package dev.larder.array.link;

/** Hears of nodes whose hosts refuse connections: their processes have ended. Called in the thread of the links; never waits. */
@FunctionalInterface
public interface RefusalListener {

    /**
     * Hears of a refusal.
     *
     * @param times how many there were since the node was linked last, this one included
     */
    void refused(int node, int times);
}
