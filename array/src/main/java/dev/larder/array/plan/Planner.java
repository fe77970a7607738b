package dev.larder.array.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes plans. The same topology always gives the same plan. So does each topology that the steps of a plan lead through, as far
 * as the target is concerned.
 */
public final class Planner {

    private Planner() {}

    /**
     * Returns the target of the stripes: balanced, spread over zones, and with as few new members as that allows.
     *
     * @throws IllegalArgumentException if fewer nodes are in than a stripe has members
     */
    public static Target target(Topology topology) {
        return Placement.of(topology);
    }

    /**
     * Returns the plan for an array.
     *
     * @param movesAtOnce how many stripes may move at once, at least 1
     * @throws IllegalArgumentException if fewer nodes are in than a stripe has members
     */
    public static Plan plan(Topology topology, int movesAtOnce) {
        return plan(topology, target(topology), movesAtOnce);
    }

    /**
     * Returns the plan for an array with a given target.
     *
     * @param target the target of each of its stripes
     * @param movesAtOnce how many stripes may move at once, at least 1
     */
    public static Plan plan(Topology topology, Target target, int movesAtOnce) {
        List<Step> steps = new ArrayList<>();
        Topology now = topology;
        List<Step> next = NextSteps.of(now, target, movesAtOnce);
        while (!next.isEmpty()) {
            now = now.after(next);
            steps.addAll(next);
            next = NextSteps.of(now, target, movesAtOnce);
        }
        List<Obstacle> obstacles = new ArrayList<>();
        for (Goal goal : target.goals()) {
            Obstacle.of(now.stripe(goal.stripe()), goal).ifPresent(obstacles::add);
        }
        return new Plan(topology, target, steps, now, obstacles);
    }

    /**
     * Returns a new array: all stripes have their members at once, as they are made.
     *
     * @throws IllegalArgumentException if a stripe has members already, or too few nodes are in
     */
    public static Topology create(Topology empty) {
        Target target = target(empty);
        return empty.withStripes(stripe -> created(stripe, target.goal(stripe.number())));
    }

    private static Stripe created(Stripe stripe, Goal goal) {
        if (!stripe.members().isEmpty()) {
            throw new IllegalArgumentException("stripe " + stripe.number() + " has members: " + stripe.members());
        }
        List<Member> members = new ArrayList<>();
        goal.roles()
                .forEach((node, role) -> members.add(new Member(stripe.nextName(node), role, true, Condition.CURRENT)));
        Stripe made = stripe.withMembers(members);
        return made.withLeader(made.on(goal.leader()).map(Member::name));
    }
}
