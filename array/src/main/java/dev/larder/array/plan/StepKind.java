package dev.larder.array.plan;

/** What a step does. Each may be done again: then it finds that it was done, or that the stripe has another epoch. */
public enum StepKind {
    /** Adds a member that receives entries and does not vote. It copies the stripe. */
    ADD_LISTENER,
    /** Waits until a member has caught up, or has built its map. */
    AWAIT,
    /** Lets a listener vote. */
    PROMOTE,
    /** Removes a member. Its files may be deleted once it is removed; its name is never given again. */
    REMOVE,
    /** Lets a voter keep something else: a witness builds its map, a mirror drops it. */
    ASSIGN_ROLE,
    /** Lets another voter lead. */
    TRANSFER_LEADERSHIP
}
