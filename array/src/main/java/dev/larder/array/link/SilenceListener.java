package dev.larder.array.link;

/**
 * Hears of nodes that were silent for so long that a link has ended: other connections to them may carry nothing either, though nobody
 * has closed them. Called in the thread of the links; never waits.
 */
@FunctionalInterface
public interface SilenceListener {

    /** Hears of a node whose link has ended, and once more as soon as it is linked again. */
    void silent(int node);
}
