package dev.larder.array.form;

/**
 * The lag of a member of a stripe behind its leader, as the leader knows it.
 *
 * @param node the member's node
 * @param runs whether the node has reported a short time ago that the member runs
 * @param entries how many entries it lacks; -1 if the leader has not heard from it
 * @param bytes about how many bytes these entries have; counts only entries that the leader has applied since it started
 * @param millis how long it has lacked an entry
 */
public record MemberLag(int stripe, int node, boolean runs, long entries, long bytes, long millis) {

    /** Returns whether the leader knows the lag. */
    public boolean isKnown() {
        return entries >= 0;
    }
}
