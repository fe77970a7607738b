package dev.larder.array.plan;

/** How far a member is. */
public enum Condition {
    /** It has what its leader has, but for what is on the way. */
    CURRENT,
    /** It lacks entries, or has not answered for a while. */
    BEHIND,
    /** It votes and has all entries, and makes its map. It was a witness. */
    BUILDING,
    /** It has lost its files, or its node. It does not come back. */
    LOST;

    /** Returns whether such a member acknowledges what its leader sends. */
    boolean acknowledges() {
        return this == CURRENT || this == BUILDING;
    }
}
