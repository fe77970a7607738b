package dev.larder.array.node;

import dev.larder.array.slots.Membership;

/**
 * The members of a stripe, as one of its leaders has reported them.
 *
 * @param term the leader's term
 * @param members the members by the last committed entry
 */
public record Hearsay(long term, Membership members) {

    /** Returns the later of two reports. */
    Hearsay later(Hearsay other) {
        boolean isLater = other.term > term || (other.term == term && other.members.epoch() >= members.epoch());
        return isLater ? other : this;
    }
}
