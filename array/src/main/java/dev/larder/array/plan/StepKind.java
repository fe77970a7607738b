package dev.larder.array.plan;

/** The kinds of steps. Each step may be repeated: it then finds that it was done, or that the stripe has another epoch. */
public enum StepKind {
    /** Adds a member that receives entries and does not vote. It copies the stripe. */
    ADD_LISTENER,
    /** Waits until a member has caught up, or has built its map. */
    AWAIT,
    /** Lets a listener vote. */
    PROMOTE,
    /** Removes a member. Its files may be deleted afterwards; its name is never given again. */
    REMOVE,
    /** Changes the role of a voter: a witness builds its map, a mirror drops it. */
    ASSIGN_ROLE,
    /** Lets another voter lead. */
    TRANSFER_LEADERSHIP
}
