package dev.larder.array.plan;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step towards a target. It concerns one stripe and one of its members.
 *
 * @param kind what it does
 * @param stripe the number of the stripe
 * @param member the member that is added, awaited, changed or removed, or that is to lead
 * @param role the role that the member is to have
 * @param epoch the epoch of the stripe for which the step was planned. In another epoch the step is void; the next plan shows
 *     whether it was done
 */
public record Step(StepKind kind, int stripe, MemberName member, Role role, long epoch) {

    static Step of(StepKind kind, Stripe stripe, Member member) {
        return new Step(kind, stripe.number(), member.name(), member.role(), stripe.epoch());
    }

    /** Returns the stripe after the step; unchanged if the stripe has another epoch. */
    public Stripe appliedTo(Stripe before) {
        if (before.epoch() != epoch) {
            return before;
        }
        return switch (kind) {
            case ADD_LISTENER -> before.withMembers(with(before, new Member(member, role, false, Condition.BEHIND)));
            case AWAIT -> before.with(member, Condition.CURRENT);
            case PROMOTE -> before.withMembers(with(before, new Member(member, role, true, conditionIn(before))));
            case REMOVE ->
                before.withMembers(without(before))
                        .withLeader(before.leader().filter(leader -> !leader.equals(member)));
            case ASSIGN_ROLE -> before.withMembers(with(before, new Member(member, role, true, conditionInRole())));
            case TRANSFER_LEADERSHIP ->
                before.member(member)
                        .filter(Member::canLead)
                        .map(next -> before.withLeader(Optional.of(member)))
                        .orElse(before);
        };
    }

    private Condition conditionIn(Stripe stripe) {
        return stripe.member(member).map(Member::condition).orElse(Condition.BEHIND);
    }

    private Condition conditionInRole() {
        return role == Role.MIRROR ? Condition.BUILDING : Condition.CURRENT;
    }

    private List<Member> with(Stripe stripe, Member changed) {
        List<Member> members = without(stripe);
        members.add(changed);
        return members;
    }

    private List<Member> without(Stripe stripe) {
        List<Member> members = new ArrayList<>(stripe.members());
        members.removeIf(other -> other.name().equals(member));
        return members;
    }

    /** Returns the step in words. */
    @Override
    public String toString() {
        String what = switch (kind) {
            case ADD_LISTENER -> "add " + member + " as a listener, to be a " + roleName();
            case AWAIT -> "wait until " + member + " has caught up";
            case PROMOTE -> "let " + member + " vote";
            case REMOVE -> "remove " + member;
            case ASSIGN_ROLE -> "make " + member + " a " + roleName();
            case TRANSFER_LEADERSHIP -> "let " + member + " lead";
        };
        return "stripe " + stripe + ": " + what;
    }

    private String roleName() {
        return role == Role.MIRROR ? "mirror" : "witness";
    }
}
