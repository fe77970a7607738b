package dev.larder.array.plan;

import java.util.Comparator;
import java.util.List;

/**
 * The goals of all stripes.
 *
 * @param goals the goal of each stripe, by number
 * @param zoneLimit how many members of a stripe a zone may have: more than 1 if there are too few zones
 */
public record Target(List<Goal> goals, int zoneLimit) {

    /** Creates a target; goals are sorted. */
    public Target {
        goals = goals.stream().sorted(Comparator.comparingInt(Goal::stripe)).toList();
    }

    /** Returns the goal of a stripe. */
    public Goal goal(int stripe) {
        for (Goal goal : goals) {
            if (goal.stripe() == stripe) {
                return goal;
            }
        }
        throw new IllegalArgumentException("the target has no stripe " + stripe);
    }
}
