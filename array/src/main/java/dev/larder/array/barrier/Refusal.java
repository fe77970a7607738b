package dev.larder.array.barrier;

/** The reason why a read is refused. */
public enum Refusal {
    /** The member does not lead, has ceased to lead, or has not applied an entry of its term yet. */
    NOT_LEADER,
    /** A majority has not answered in time. */
    NO_MAJORITY
}
