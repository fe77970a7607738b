package dev.larder.array.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The costs of a plan, and the array after it.
 *
 * @param copies how many members copy their stripe
 * @param copiedBytes the bytes that all of them copy
 * @param copiedByNode the bytes that each node copies, by its number
 * @param transfers how many stripes change their leader by a step of the plan
 * @param members how many members each node has afterwards
 * @param leaders how many stripes each node leads afterwards
 * @param sets how many sets of nodes share a stripe afterwards
 */
public record PlanSummary(
        int copies,
        long copiedBytes,
        Map<Integer, Long> copiedByNode,
        int transfers,
        Map<Integer, Integer> members,
        Map<Integer, Integer> leaders,
        int sets) {

    /**
     * Returns the summary of a plan.
     *
     * @param bytesAStripe how many bytes a stripe has on a node
     */
    public static PlanSummary of(Plan plan, long bytesAStripe) {
        Map<Integer, Long> copied = new TreeMap<>();
        plan.steps().stream()
                .filter(step -> step.kind() == StepKind.ADD_LISTENER)
                .forEach(step -> copied.merge(step.member().node(), bytesAStripe, Long::sum));
        Map<Integer, Integer> members = new TreeMap<>();
        Map<Integer, Integer> leaders = new TreeMap<>();
        for (Stripe stripe : plan.after().stripes()) {
            stripe.members().forEach(member -> members.merge(member.node(), 1, Integer::sum));
            stripe.leader().ifPresent(leader -> leaders.merge(leader.node(), 1, Integer::sum));
        }
        return new PlanSummary(
                plan.count(StepKind.ADD_LISTENER),
                plan.count(StepKind.ADD_LISTENER) * bytesAStripe,
                copied,
                plan.count(StepKind.TRANSFER_LEADERSHIP),
                members,
                leaders,
                sets(plan.after()).size());
    }

    /** Returns the sets of nodes that share a stripe. */
    public static Set<Set<Integer>> sets(Topology array) {
        Set<Set<Integer>> sets = new HashSet<>();
        for (Stripe stripe : array.stripes()) {
            Set<Integer> nodes = new TreeSet<>();
            stripe.members().forEach(member -> nodes.add(member.node()));
            sets.add(nodes);
        }
        return sets;
    }
}
