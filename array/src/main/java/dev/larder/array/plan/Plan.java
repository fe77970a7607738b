package dev.larder.array.plan;

import java.util.List;

/**
 * A plan: the target of the stripes, and the steps that lead there. The steps are for people to read. An executor does not follow
 * the list: it asks {@link NextSteps} again and again.
 *
 * @param before the present array
 * @param target where the stripes are to be
 * @param steps the steps, in an order in which they can be done one by one
 * @param after the array once the steps are done
 * @param obstacles the stripes that do not reach their goal, and why
 */
public record Plan(Topology before, Target target, List<Step> steps, Topology after, List<Obstacle> obstacles) {

    /** Creates a plan; the lists are copied. */
    public Plan {
        steps = List.copyOf(steps);
        obstacles = List.copyOf(obstacles);
    }

    /** Returns the number of steps of a kind. */
    public int count(StepKind kind) {
        return Math.toIntExact(
                steps.stream().filter(step -> step.kind() == kind).count());
    }
}
