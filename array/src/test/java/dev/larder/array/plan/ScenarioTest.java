package dev.larder.array.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plans when a node comes, goes, is lost, is replaced, or is heavier than others. */
final class ScenarioTest {

    private static Topology array(int mirrors, int witnesses, int stripes, String... zones) {
        List<Node> nodes = new ArrayList<>();
        for (String zone : zones) {
            nodes.add(new Node(nodes.size(), zone, 1, NodeState.IN));
        }
        return Planner.create(new Topology(
                7,
                mirrors,
                witnesses,
                nodes,
                IntStream.range(0, stripes).mapToObj(Stripe::empty).toList()));
    }

    private static Map<Integer, Integer> members(Topology array) {
        Map<Integer, Integer> counts = new TreeMap<>();
        array.stripes()
                .forEach(stripe -> stripe.members().forEach(member -> counts.merge(member.node(), 1, Integer::sum)));
        return counts;
    }

    private static Map<Integer, Integer> leaders(Topology array) {
        Map<Integer, Integer> counts = new TreeMap<>();
        array.stripes()
                .forEach(stripe -> stripe.leader().ifPresent(name -> counts.merge(name.node(), 1, Integer::sum)));
        return counts;
    }

    private static Topology in(Topology array, int node, NodeState state) {
        return array.with(array.node(node).orElseThrow().withState(state));
    }

    /** Returns the array after elections: the first member that can lead does so in each stripe without a leader. */
    private static Topology elected(Topology array) {
        Topology elected = array;
        for (Stripe stripe : array.stripes()) {
            if (stripe.leader().isEmpty()) {
                elected = elected.with(stripe.withLeader(stripe.members().stream()
                        .filter(Member::canLead)
                        .map(Member::name)
                        .findFirst()));
            }
        }
        return elected;
    }

    @Test
    void aNewArrayIsEven() {
        Topology array = array(3, 0, 16, "a", "b", "c", "d");
        assertThat(members(array)).isEqualTo(Map.of(0, 12, 1, 12, 2, 12, 3, 12));
        assertThat(leaders(array)).isEqualTo(Map.of(0, 4, 1, 4, 2, 4, 3, 4));
        assertThat(Planner.plan(array, 1).steps()).isEmpty();
    }

    @Test
    void theOrderOfNodesAndStripesIsAllTheSame() {
        Topology array = array(3, 0, 16, "a", "b", "c", "d", "e");
        Topology other =
                new Topology(7, 3, 0, array.nodes().reversed(), array.stripes().reversed());
        assertThat(other).isEqualTo(array);
    }

    @Test
    void aNodeThatComesTakesItsShareAndNothingElseMoves() {
        Topology array = array(3, 0, 16, "a", "b", "c", "d").with(new Node(4, "e", 1, NodeState.IN));
        Plan plan = Planner.plan(array, 2);
        assertThat(plan.count(StepKind.ADD_LISTENER)).isEqualTo(9);
        assertThat(plan.count(StepKind.REMOVE)).isEqualTo(9);
        assertThat(plan.steps())
                .filteredOn(step -> step.kind() == StepKind.ADD_LISTENER)
                .allMatch(step -> step.member().equals(new MemberName(4, 0)));
        assertThat(members(plan.after())).containsEntry(4, 9);
    }

    /** Regression: a stripe that adds no member waited for the one that is away, as one that adds a member does. */
    @Test
    void aLeaderGoesToItsPlaceThoughAMemberIsAway() {
        Topology array = array(3, 0, 1, "a", "b", "c");
        Stripe stripe = array.stripe(0);
        MemberName due = stripe.leader().orElseThrow();
        List<MemberName> others = stripe.members().stream()
                .map(Member::name)
                .filter(name -> !name.equals(due))
                .toList();
        Topology away =
                array.with(stripe.with(others.getFirst(), Condition.BEHIND).withLeader(Optional.of(others.getLast())));
        assertThat(NextSteps.of(away, Planner.target(array), 1))
                .singleElement()
                .matches(step -> step.kind() == StepKind.TRANSFER_LEADERSHIP
                        && step.member().equals(due));
    }

    private static Stripe stripe(int number, int leader, Member... members) {
        return new Stripe(number, List.of(members), Optional.of(new MemberName(leader, 0)), 1, Map.of());
    }

    private static Member mirror(int node, Condition condition) {
        return new Member(new MemberName(node, 0), Role.MIRROR, true, condition);
    }

    private static Goal goal(int stripe, int leader, int... nodes) {
        Map<Integer, Role> roles = new TreeMap<>();
        IntStream.of(nodes).forEach(node -> roles.put(node, Role.MIRROR));
        return new Goal(stripe, roles, leader);
    }

    /** A new node stops as it joins a stripe. Regression: meanwhile no other stripe's leader went to its place. */
    @Test
    void aLeaderGoesToItsPlaceThoughAnotherStripeMoves() {
        Topology array = array(3, 0, 2, "a", "b", "c", "d")
                .with(stripe(
                        0,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT),
                        mirror(3, Condition.BEHIND)))
                .with(stripe(
                        1,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT)));
        Target target = new Target(List.of(goal(0, 1, 1, 2, 3), goal(1, 0, 0, 1, 2)), 1);
        assertThat(NextSteps.of(array, target, 1).stream().map(Step::toString))
                .containsExactly("stripe 0: wait until 3.0 has caught up", "stripe 1: let 0.0 lead");
    }

    /** A node stops once it has joined a stripe. Regression: its leader moved no other stripe until that node came back. */
    @Test
    void aStripeThatWaitsForAVoterTakesNoRoomFromOthers() {
        Topology array = array(3, 0, 2, "a", "b", "c", "d", "e")
                .with(stripe(
                        0,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT),
                        mirror(3, Condition.BEHIND)))
                .with(stripe(
                        1,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT)));
        Target target = new Target(List.of(goal(0, 1, 1, 2, 3), goal(1, 1, 1, 2, 4)), 1);
        assertThat(NextSteps.of(array, target, 1).stream().map(Step::toString))
                .containsExactly(
                        "stripe 0: wait until 3.0 has caught up", "stripe 1: add 4.0 as a listener, to be a mirror");
    }

    /** A copy under way takes room: it loads the nodes. */
    @Test
    void aStripeThatWaitsForACopyTakesRoom() {
        Topology array = array(3, 0, 2, "a", "b", "c", "d", "e")
                .with(stripe(
                        0,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT),
                        new Member(new MemberName(3, 0), Role.MIRROR, false, Condition.BEHIND)))
                .with(stripe(
                        1,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT)));
        Target target = new Target(List.of(goal(0, 1, 1, 2, 3), goal(1, 1, 1, 2, 4)), 1);
        assertThat(NextSteps.of(array, target, 1).stream().map(Step::toString))
                .containsExactly("stripe 0: wait until 3.0 has caught up");
    }

    /** Regression: the leader's node could not leave until the node that was to lead came back. */
    @Test
    void aLeaderThatGoesHandsOverToAnyMemberThatStays() {
        Stripe stripe = stripe(
                0,
                0,
                mirror(0, Condition.CURRENT),
                mirror(1, Condition.BEHIND),
                mirror(2, Condition.CURRENT),
                mirror(3, Condition.CURRENT));
        Topology array = array(2, 1, 1, "a", "b", "c", "d").with(stripe);
        Map<Integer, Role> roles = Map.of(1, Role.MIRROR, 2, Role.MIRROR, 3, Role.WITNESS);
        Target target = new Target(List.of(new Goal(0, roles, 1)), 1);
        assertThat(NextSteps.of(array, target, 1).stream().map(Step::toString))
                .containsExactly("stripe 0: let 2.0 lead");
        Topology led = array.with(stripe.withLeader(Optional.of(new MemberName(2, 0))));
        assertThat(NextSteps.of(led, target, 1).stream().map(Step::toString)).containsExactly("stripe 0: remove 0.0");
    }

    /** Two of three members have new nodes. Regression: a stripe waited for the first one, though the second one ran. */
    @Test
    void aMemberWhoseNodeRunsIsAddedFirst() {
        Topology array = array(3, 0, 1, "a", "b", "c", "d", "e")
                .with(stripe(
                        0,
                        1,
                        mirror(0, Condition.CURRENT),
                        mirror(1, Condition.CURRENT),
                        mirror(2, Condition.CURRENT)));
        Target target = new Target(List.of(goal(0, 1, 1, 3, 4)), 1);
        assertThat(NextSteps.of(array, target, 1).stream().map(Step::toString))
                .containsExactly("stripe 0: add 3.0 as a listener, to be a mirror");
        assertThat(NextSteps.of(array, target, 1, step -> step.member().node() != 3).stream()
                        .map(Step::toString))
                .containsExactly("stripe 0: add 4.0 as a listener, to be a mirror");
        assertThat(NextSteps.of(array, target, 1, step -> false)).isEmpty();
    }

    /** One of two new nodes does not run yet. Regression: the stripes that go to the other one waited for it. */
    @Test
    void aStripeThatCannotBeginTakesNoRoomFromOthers() {
        Topology array = array(3, 0, 16, "a", "b", "c", "d")
                .with(new Node(4, "e", 1, NodeState.IN))
                .with(new Node(5, "f", 1, NodeState.IN));
        Target target = Planner.target(array);
        int late = NextSteps.of(array, target, 1).getFirst().member().node();
        int other = late == 4 ? 5 : 4;
        assertThat(NextSteps.of(array, target, 1, step -> step.member().node() != late))
                .singleElement()
                .matches(step ->
                        step.kind() == StepKind.ADD_LISTENER && step.member().node() == other);
    }

    @Test
    void aNodeThatIsHeavierHasMore() {
        Topology array = array(3, 0, 12, "a", "b", "c", "d", "e", "f");
        Topology after =
                Planner.plan(array.with(new Node(0, "a", 2, NodeState.IN)), 4).after();
        assertThat(members(after).get(0)).isBetween(10, 11);
        assertThat(leaders(after).get(0)).isBetween(3, 4);
    }

    @Test
    void aNodeThatLeavesServesUntilItsMembersHaveSuccessors() {
        Topology array = array(3, 0, 16, "a", "b", "c", "d");
        Plan plan = Planner.plan(in(array, 1, NodeState.LEAVING), 2);
        assertThat(members(plan.after())).isEqualTo(Map.of(0, 16, 2, 16, 3, 16));
        assertThat(plan.count(StepKind.ADD_LISTENER)).isEqualTo(12);
        Stripe led = array.stripes().stream()
                .filter(stripe -> stripe.leader().equals(Optional.of(new MemberName(1, 0))))
                .findFirst()
                .orElseThrow();
        assertThat(plan.steps().stream()
                        .filter(step -> step.stripe() == led.number())
                        .map(Step::kind))
                .containsExactly(
                        StepKind.ADD_LISTENER,
                        StepKind.AWAIT,
                        StepKind.PROMOTE,
                        StepKind.TRANSFER_LEADERSHIP,
                        StepKind.REMOVE);
    }

    @Test
    void aNodeThatIsReplacedIsFollowedByTheNewOneAlone() {
        Topology array =
                in(array(3, 0, 16, "a", "b", "c", "d"), 1, NodeState.LOST).with(new Node(4, "b", 1, NodeState.IN));
        Plan plan = Planner.plan(elected(array), 2);
        assertThat(members(plan.after())).isEqualTo(Map.of(0, 12, 2, 12, 3, 12, 4, 12));
        assertThat(plan.count(StepKind.ADD_LISTENER)).isEqualTo(12);
        assertThat(plan.obstacles()).isEmpty();
    }

    @Test
    void aMemberThatHasLostItsFilesIsFollowedByTheNextOfItsNode() {
        Topology array = array(3, 0, 1, "a", "b", "c");
        Stripe stripe = array.stripe(0).with(new MemberName(2, 0), Condition.LOST);
        Plan plan = Planner.plan(elected(array.with(stripe)), 1);
        assertThat(plan.steps().subList(0, 4).stream().map(Step::toString))
                .containsExactly(
                        "stripe 0: remove 2.0",
                        "stripe 0: add 2.1 as a listener, to be a mirror",
                        "stripe 0: wait until 2.1 has caught up",
                        "stripe 0: let 2.1 vote");
    }

    @Test
    void aNodeThatComesBackToAStripeHasAnotherName() {
        Topology array = array(1, 0, 1, "a", "b");
        int first = array.stripe(0).members().getFirst().node();
        Topology moved = Planner.plan(in(array, first, NodeState.LEAVING), 1).after();
        Topology back = in(in(moved, first, NodeState.IN), 1 - first, NodeState.LEAVING);
        assertThat(Planner.plan(back, 1).after().stripe(0).leader()).contains(new MemberName(first, 1));
    }

    @Test
    void aZoneThatIsLostLeavesTwoMembersInAnother() {
        Topology array = array(3, 0, 12, "a", "a", "b", "b", "c", "c");
        Plan plan = Planner.plan(elected(in(in(array, 0, NodeState.LOST), 1, NodeState.LOST)), 3);
        assertThat(plan.target().zoneLimit()).isEqualTo(2);
        assertThat(plan.obstacles()).isEmpty();
        assertThat(members(plan.after())).isEqualTo(Map.of(2, 9, 3, 9, 4, 9, 5, 9));
        assertThat(plan.count(StepKind.ADD_LISTENER)).isEqualTo(12);
    }

    @Test
    void aWitnessIsAThirdOfTheMembersAndDoesNotLead() {
        Topology array = array(2, 1, 12, "a", "b", "c");
        for (Stripe stripe : array.stripes()) {
            assertThat(stripe.members())
                    .filteredOn(member -> member.role() == Role.WITNESS)
                    .hasSize(1)
                    .noneMatch(member -> stripe.leader().equals(Optional.of(member.name())));
        }
        assertThat(leaders(array)).isEqualTo(Map.of(0, 4, 1, 4, 2, 4));
    }

    @Test
    void aStripeWithoutItsMajorityIsWaitedFor() {
        Topology array = array(3, 0, 1, "a", "b", "c").with(new Node(3, "d", 100, NodeState.IN));
        MemberName leader = array.stripe(0).leader().orElseThrow();
        Topology behind = array.withStripes(stripe -> {
            Stripe changed = stripe;
            for (Member member : stripe.members()) {
                changed = member.name().equals(leader) ? changed : changed.with(member.name(), Condition.BEHIND);
            }
            return changed;
        });
        assertThat(NextSteps.of(behind, Planner.target(behind), 5))
                .hasSize(1)
                .allMatch(step -> step.kind() == StepKind.AWAIT);
        assertThat(Planner.plan(behind, 1).obstacles()).isEmpty();
    }

    @Test
    void whatCannotBeDoneIsNamed() {
        Topology array = array(3, 0, 4, "a", "b", "c");
        assertThatThrownBy(() -> Planner.plan(in(array, 0, NodeState.LEAVING), 1))
                .hasMessage("a stripe has 3 members, each on another node, but only 2 nodes take members");
        Topology lost = in(in(array, 0, NodeState.LOST), 1, NodeState.LOST)
                .with(new Node(3, "d", 1, NodeState.IN))
                .with(new Node(4, "e", 1, NodeState.IN));
        assertThat(Planner.plan(lost, 1).obstacles())
                .hasSize(4)
                .allMatch(obstacle -> obstacle.reason().equals("1 of 3 voters acknowledge: not a majority"));
        assertThatThrownBy(() -> Planner.plan(array, 0)).hasMessageContaining("moves at once: 0");
        assertThatThrownBy(() -> Planner.create(array)).hasMessageContaining("stripe 0 has members");
        assertThatThrownBy(() -> new Node(1, "a", 101, NodeState.IN)).hasMessageContaining("weight 101");
        assertThatThrownBy(() -> new Topology(1, 2, 2, List.of(), List.of())).hasMessageContaining("2 witnesses");
    }

    /** Randomly placed stripes would have 34 sets of 120, and each node 9 neighbours. */
    @Test
    void stripesLieOnFewSetsOfNodes() {
        Topology array = array(3, 0, 40, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
        assertThat(PlanSummary.sets(array)).hasSize(10);
        for (Node node : array.nodes()) {
            Set<Integer> neighbours = new TreeSet<>();
            PlanSummary.sets(array).stream()
                    .filter(set -> set.contains(node.number()))
                    .forEach(neighbours::addAll);
            assertThat(neighbours).as("neighbours of %s, and itself", node).hasSizeBetween(4, 7);
        }
    }
}
