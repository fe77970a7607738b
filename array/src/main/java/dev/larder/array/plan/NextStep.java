package dev.larder.array.plan;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.Voters;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The next step of one stripe towards its goal. It depends only on the present state of the stripe. So an executor that was
 * killed continues where it was.
 *
 * <p>A stripe never has more than one member too many, and fewer voters only if some are lost. Voters change one at a time, and
 * only while a majority acknowledges, both before the change and after it.
 */
final class NextStep {

    private final Stripe stripe;
    private final Goal goal;
    private final Predicate<Step> canBegin;

    private NextStep(Stripe stripe, Goal goal, Predicate<Step> canBegin) {
        this.stripe = stripe;
        this.goal = goal;
        this.canBegin = canBegin;
    }

    /**
     * Returns the next step; empty if the goal is reached, or nothing can be done now.
     *
     * @param canBegin whether the addition of a member can begin now: one that can is preferred
     */
    static Optional<Step> of(Stripe stripe, Goal goal, Predicate<Step> canBegin) {
        return new NextStep(stripe, goal, canBegin).next();
    }

    private Optional<Step> next() {
        if (stripe.leader().isEmpty() || goal.isReached(stripe)) {
            return Optional.empty();
        }
        if (!isMajority(names(Member::votes))) {
            return firstBehind().map(this::await);
        }
        return removeLost()
                .or(this::removeListener)
                .or(this::awaitCopy)
                .or(this::promote)
                .or(this::removeVoter)
                .or(this::add)
                .or(this::changeRole)
                .or(this::lead)
                .or(this::awaitVoter);
    }

    /** Removes lost members first: they count in the majority that is needed, and never acknowledge. */
    private Optional<Step> removeLost() {
        return first(member -> member.isLost() && (!member.votes() || isSafe(member, false)))
                .map(member -> Step.of(StepKind.REMOVE, stripe, member));
    }

    private Optional<Step> removeListener() {
        return first(member -> !member.votes() && !isWanted(member))
                .map(member -> Step.of(StepKind.REMOVE, stripe, member));
    }

    private Optional<Step> awaitCopy() {
        return first(member -> member.condition() == Condition.BUILDING || (!member.votes() && isBehind(member)))
                .map(this::await);
    }

    private Optional<Step> promote() {
        return first(member -> !member.votes() && voters() <= goal.roles().size() && isSafe(member, true))
                .map(member -> Step.of(StepKind.PROMOTE, stripe, member));
    }

    /** Removes a voter. The leader is the last to go: by then the member that is to lead votes. */
    private Optional<Step> removeVoter() {
        if (voters() <= goal.roles().size()) {
            return Optional.empty();
        }
        return stripe.voters()
                .filter(member -> !isWanted(member) && isSafe(member, false) && leavesMirrors(member))
                .min(Comparator.comparing(this::leads))
                .flatMap(member -> leads(member) ? handOver() : Optional.of(Step.of(StepKind.REMOVE, stripe, member)));
    }

    /**
     * Makes another member lead before the leader goes: the one that is to lead, or, while that one is away, any other that stays.
     * Else the leader would stay for as long.
     */
    private Optional<Step> handOver() {
        boolean isThere = stripe.on(goal.leader())
                .filter(member -> member.condition().acknowledges())
                .isPresent();
        return isThere
                ? lead()
                : stripe.voters()
                        .filter(member -> member.canLead() && isWanted(member) && !leads(member))
                        .min(Comparator.comparing(member -> goal.roles().get(member.node())))
                        .map(member -> Step.of(StepKind.TRANSFER_LEADERSHIP, stripe, member));
    }

    /**
     * Adds a member. Mirrors come first, so that a mirror that goes has its successor. It waits for a voter that is behind, if a
     * majority would need the answer of the new member: should that one fail, no majority of the old members could go on.
     */
    private Optional<Step> add() {
        if (stripe.members().size() > goal.roles().size()) {
            return Optional.empty();
        }
        return addWanted()
                .map(added -> needsNewMember() ? firstBehind().map(this::await).orElse(added) : added);
    }

    private Optional<Member> firstBehind() {
        return first(member -> member.votes() && isBehind(member));
    }

    /** Adds a mirror rather than a witness, but above all a member whose node has it ready. */
    private Optional<Step> addWanted() {
        List<Step> additions = goal.roles().entrySet().stream()
                .filter(wanted -> stripe.on(wanted.getKey()).isEmpty())
                .sorted(Comparator.comparing(wanted -> wanted.getValue()))
                .map(wanted -> new Member(stripe.nextName(wanted.getKey()), wanted.getValue(), false, Condition.BEHIND))
                .map(member -> Step.of(StepKind.ADD_LISTENER, stripe, member))
                .toList();
        Optional<Step> first = additions.stream().findFirst();
        return additions.stream().filter(canBegin).findFirst().or(() -> first);
    }

    private Optional<Step> changeRole() {
        return first(member -> {
                    Role wanted = goal.roles().getOrDefault(member.node(), member.role());
                    return wanted != member.role()
                            && member.votes()
                            && member.condition() == Condition.CURRENT
                            && (wanted == Role.MIRROR || (!leads(member) && leavesMirrors(member)));
                })
                .map(member -> new Member(
                        member.name(),
                        member.role() == Role.MIRROR ? Role.WITNESS : Role.MIRROR,
                        member.votes(),
                        member.condition()))
                .map(member -> Step.of(StepKind.ASSIGN_ROLE, stripe, member));
    }

    private Optional<Step> lead() {
        return stripe.on(goal.leader())
                .filter(member -> member.canLead() && !leads(member))
                .map(member -> Step.of(StepKind.TRANSFER_LEADERSHIP, stripe, member));
    }

    private Optional<Step> awaitVoter() {
        return first(member -> isWanted(member) && isBehind(member)).map(this::await);
    }

    private Optional<Member> first(Predicate<Member> which) {
        for (Member member : stripe.members()) {
            if (which.test(member)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /** Returns whether the voters that acknowledge would be no majority beside a new voter that does not. */
    private boolean needsNewMember() {
        long acknowledging = stripe.voters()
                .filter(member -> member.condition().acknowledges())
                .count();
        return acknowledging <= (voters() + 1) / 2;
    }

    private static boolean isBehind(Member member) {
        return member.condition() == Condition.BEHIND;
    }

    private Step await(Member member) {
        return Step.of(StepKind.AWAIT, stripe, member);
    }

    private boolean isWanted(Member member) {
        return goal.roles().containsKey(member.node()) && !member.isLost();
    }

    private boolean leads(Member member) {
        return stripe.leader().equals(Optional.of(member.name()));
    }

    private long voters() {
        return stripe.voters().count();
    }

    /** Returns whether enough complete mirrors remain without a given member. */
    private boolean leavesMirrors(Member without) {
        long left = stripe.voters()
                .filter(member -> member.canLead() && !member.equals(without))
                .count();
        return without.role() == Role.WITNESS || left >= goal.mirrors();
    }

    /** Returns whether a majority acknowledges, both before and after a member's vote comes or goes. */
    private boolean isSafe(Member member, boolean comes) {
        Set<MemberName> before = names(Member::votes);
        Set<MemberName> after = names(other -> other.equals(member) ? comes : other.votes());
        return isMajority(before) && isMajority(after);
    }

    private boolean isMajority(Set<MemberName> voters) {
        return new Voters(voters, Set.of())
                .isMajority(names(other -> other.condition().acknowledges()));
    }

    private Set<MemberName> names(Predicate<Member> which) {
        return stripe.members().stream().filter(which).map(Member::name).collect(Collectors.toSet());
    }
}
