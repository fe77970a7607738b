package dev.larder.array.link;

/**
 * A listener for nodes that were silent for so long that a link has ended. Other connections to them may carry nothing either,
 * though no side has closed them. Called in the thread of the links; must not wait.
 */
@FunctionalInterface
public interface SilenceListener {

    /** Called for a node whose link has ended, and once more as soon as it is linked again. */
    void silent(int node);
}
