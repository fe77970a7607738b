package dev.larder.array.form;

/**
 * How far a member of a stripe is behind its leader, as the leader knows.
 *
 * @param node whose member it is
 * @param runs whether the node has said a short time ago that it runs
 * @param entries how many entries it lacks; -1 if the leader has not heard of it
 * @param bytes about how many bytes these have; of those alone that the leader has applied since it started
 * @param millis for how long it has lacked one
 */
public record MemberLag(int stripe, int node, boolean runs, long entries, long bytes, long millis) {

    /** Returns whether the leader knows how far it is behind. */
    public boolean isKnown() {
        return entries >= 0;
    }
}
