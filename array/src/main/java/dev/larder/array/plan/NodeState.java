package dev.larder.array.plan;

/** Whether a node is to have members. */
public enum NodeState {
    /** It has its share of members. */
    IN,
    /** It runs, and is to have no members. Its members serve until others have taken their places. */
    LEAVING,
    /** It does not come back. Its members are lost. */
    LOST
}
