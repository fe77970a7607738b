package dev.larder.array.node;

import dev.larder.array.slots.Membership;

/**
 * The members of a stripe, as one of its leaders has told.
 *
 * @param term the leader's
 * @param members the members by the last entry that was committed
 */
public record Hearsay(long term, Membership members) {

    /** Returns the later one of two. */
    Hearsay later(Hearsay other) {
        boolean isLater = other.term > term || (other.term == term && other.members.epoch() >= members.epoch());
        return isLater ? other : this;
    }
}
