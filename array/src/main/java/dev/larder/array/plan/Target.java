package dev.larder.array.plan;

import java.util.Comparator;
import java.util.List;

/**
 * Where all stripes are to be.
 *
 * @param goals where each is to be, by number
 * @param zoneLimit how many members of a stripe a zone may have: more than 1 where there are too few zones
 */
public record Target(List<Goal> goals, int zoneLimit) {

    /** A target; goals are sorted. */
    public Target {
        goals = goals.stream().sorted(Comparator.comparingInt(Goal::stripe)).toList();
    }

    /** Returns where a stripe is to be. */
    public Goal goal(int stripe) {
        for (Goal goal : goals) {
            if (goal.stripe() == stripe) {
                return goal;
            }
        }
        throw new IllegalArgumentException("the target has no stripe " + stripe);
    }
}
