package dev.larder.array.barrier;

/** Why a read does not go. */
public enum Refusal {
    /** The member does not lead, or does not any more, or has not applied an entry of its term yet. */
    NOT_LEADER,
    /** A majority has not answered in time. */
    NO_MAJORITY
}
