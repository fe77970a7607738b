package dev.larder.array.pull;

/**
 * How far a pull is.
 *
 * @param node the source; -1 while none serves
 * @param pulledBytes how much is here
 * @param bytes how much there is in all; 0 while that is not known
 */
public record PullProgress(int node, long pulledBytes, long bytes) {

    /** Of a pull that has found no source yet. */
    public static final PullProgress NONE = new PullProgress(-1, 0, 0);

    PullProgress with(long more) {
        return new PullProgress(node, pulledBytes + more, bytes);
    }
}
