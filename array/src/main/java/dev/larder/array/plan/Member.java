package dev.larder.array.plan;

import dev.larder.array.MemberName;

/**
 * A member of a stripe.
 *
 * @param name its name
 * @param role whether it is a mirror or a witness
 * @param votes whether it votes; else it is a listener, which receives entries and does not count
 * @param condition its progress
 */
public record Member(MemberName name, Role role, boolean votes, Condition condition) {

    /** Returns the node of the member. */
    public int node() {
        return name.node();
    }

    /** Returns whether the member can lead: it votes, and has a whole map. */
    boolean canLead() {
        return votes && role == Role.MIRROR && condition == Condition.CURRENT;
    }

    /** Returns whether the member is gone for good. */
    boolean isLost() {
        return condition == Condition.LOST;
    }

    /** Returns the member in another condition. */
    public Member with(Condition next) {
        return new Member(name, role, votes, next);
    }
}
