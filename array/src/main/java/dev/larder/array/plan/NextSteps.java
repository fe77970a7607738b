package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The next steps of an executor: the state of a plan is the array itself. The executor looks at the array, does these steps, in
 * any order or at once, and looks again. It keeps no state, so it may be killed at any time.
 */
public final class NextSteps {

    private NextSteps() {}

    /**
     * Returns the next steps, at most one a stripe. Stripes that have begun to move continue. Others begin as far as there is
     * room, those with the fewest voters first. Waiting for a voter takes no room, even after a stripe has begun: the voter's node
     * may be away for days. A stripe that changes its leader alone copies nothing. It takes no room either, but as few do so at
     * once.
     *
     * @param movesAtOnce how many stripes may move at once, and how many may change their leaders, at least 1
     */
    public static List<Step> of(Topology topology, Target target, int movesAtOnce) {
        return of(topology, target, movesAtOnce, step -> true);
    }

    /**
     * Returns the same steps, except for stripes that cannot begin now: they take no room from others.
     *
     * @param canBegin whether the first step of a stripe can be done now; its node may not run yet. Of the members that a stripe
     *     lacks, one whose node runs is added first
     */
    public static List<Step> of(Topology topology, Target target, int movesAtOnce, Predicate<Step> canBegin) {
        if (movesAtOnce < 1) {
            throw new IllegalArgumentException("moves at once: " + movesAtOnce + " is below 1");
        }
        List<Step> steps = new ArrayList<>();
        List<Stripe> others = new ArrayList<>();
        int room = movesAtOnce;
        int roomOfLeaders = movesAtOnce;
        for (Goal goal : target.goals()) {
            Stripe stripe = topology.stripe(goal.stripe());
            if (isMoving(stripe, goal)) {
                Optional<Step> step = NextStep.of(stripe, goal, canBegin);
                step.ifPresent(steps::add);
                room -= step.filter(next -> !waitsForVoter(next, stripe)).isPresent() ? 1 : 0;
            } else {
                others.add(stripe);
            }
        }
        others.sort(Comparator.comparingLong(NextSteps::acknowledging).thenComparingInt(Stripe::number));
        for (Stripe stripe : others) {
            Optional<Step> step = NextStep.of(stripe, target.goal(stripe.number()), canBegin);
            if (step.isEmpty()) {
                continue;
            }
            boolean isOfLeader = step.get().kind() == StepKind.TRANSFER_LEADERSHIP;
            if (step.get().kind() == StepKind.AWAIT) {
                steps.add(step.get());
            } else if (isOfLeader && roomOfLeaders > 0 && canBegin.test(step.get())) {
                roomOfLeaders--;
                steps.add(step.get());
            } else if (!isOfLeader && room > 0 && canBegin.test(step.get())) {
                room--;
                steps.add(step.get());
            }
        }
        return steps;
    }

    /** Returns whether a step waits for a voter that is behind. A copy under way is none: it loads the nodes meanwhile. */
    private static boolean waitsForVoter(Step step, Stripe stripe) {
        return step.kind() == StepKind.AWAIT
                && stripe.member(step.member())
                        .filter(member -> member.votes() && member.condition() == Condition.BEHIND)
                        .isPresent();
    }

    private static boolean isMoving(Stripe stripe, Goal goal) {
        return stripe.voters().count() > goal.roles().size()
                || stripe.members().stream()
                        .anyMatch(member -> !member.votes() || member.condition() == Condition.BUILDING);
    }

    private static long acknowledging(Stripe stripe) {
        return stripe.voters()
                .filter(member -> member.condition().acknowledges())
                .count();
    }
}
