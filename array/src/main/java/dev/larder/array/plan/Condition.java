package dev.larder.array.plan;

/** The progress of a member. */
public enum Condition {
    /** It has the entries of its leader, except those in flight. */
    CURRENT,
    /** It lacks entries, or has not answered for a while. */
    BEHIND,
    /** It votes and has all entries, and is building its map. It was a witness. */
    BUILDING,
    /** It has lost its files, or its node. It does not come back. */
    LOST;

    /** Returns whether such a member acknowledges the entries that its leader sends. */
    boolean acknowledges() {
        return this == CURRENT || this == BUILDING;
    }
}
