package dev.larder.array.pull;

/**
 * The progress of a pull.
 *
 * @param node the source; -1 while no node serves the pull
 * @param pulledBytes how many bytes are here
 * @param bytes how many bytes there are in all; 0 while that is not known
 */
public record PullProgress(int node, long pulledBytes, long bytes) {

    /** The progress of a pull that has found no source yet. */
    public static final PullProgress NONE = new PullProgress(-1, 0, 0);

    PullProgress with(long more) {
        return new PullProgress(node, pulledBytes + more, bytes);
    }
}
