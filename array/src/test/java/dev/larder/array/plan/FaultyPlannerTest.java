package dev.larder.array.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import dev.larder.array.plan.ExecutorRun.NextStepsOf;
import dev.larder.array.plan.ExecutorRun.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The controls of {@link PlannerTest} and {@link ExecutorTest}: the same properties, on the same arrays, reveal a planner with a
 * planted fault.
 */
final class FaultyPlannerTest {

    private static final int ARRAYS = 100;

    static Stream<Arguments> faultyTargets() {
        return Stream.of(
                Arguments.of(
                        "zones",
                        target(array -> nodes(
                                array,
                                node -> new Node(
                                        node.number(), "zone of " + node.number(), node.weight(), node.state())))),
                Arguments.of("members of node", target(array -> nodes(array, node -> node.withWeight(1)))),
                Arguments.of("fewer moves", target(array -> stripes(array, stripe -> stripe.withMembers(List.of())))),
                Arguments.of(
                        "fewer changes of leaders",
                        target(array -> stripes(array, stripe -> stripe.withLeader(Optional.empty())))),
                Arguments.of("is not in", target(array -> nodes(array, node -> node.withState(NodeState.IN)))),
                Arguments.of("leaders of node", (Function<Topology, Target>) FaultyPlannerTest::ledByTheFirst),
                Arguments.of("number of members", (Function<Topology, Target>) FaultyPlannerTest::oneShort));
    }

    /** Returns a planner that gets a false description of the array. */
    private static Function<Topology, Target> target(UnaryOperator<Topology> lie) {
        return array -> Planner.target(lie.apply(array));
    }

    private static Topology nodes(Topology array, UnaryOperator<Node> lie) {
        List<Node> nodes = array.nodes().stream().map(lie).toList();
        return new Topology(array.seed(), array.mirrors(), array.witnesses(), nodes, array.stripes());
    }

    private static Topology stripes(Topology array, UnaryOperator<Stripe> lie) {
        List<Stripe> stripes = array.stripes().stream().map(lie).toList();
        return new Topology(array.seed(), array.mirrors(), array.witnesses(), array.nodes(), stripes);
    }

    private static Target ledByTheFirst(Topology array) {
        Target target = Planner.target(array);
        return new Target(
                target.goals().stream()
                        .map(goal -> new Goal(goal.stripe(), goal.roles(), firstMirror(goal.roles())))
                        .toList(),
                target.zoneLimit());
    }

    private static int firstMirror(Map<Integer, Role> roles) {
        return roles.keySet().stream()
                .filter(node -> roles.get(node) == Role.MIRROR)
                .findFirst()
                .orElseThrow();
    }

    private static Target oneShort(Topology array) {
        Target target = Planner.target(array);
        Goal last = target.goals().getLast();
        List<Goal> goals = new ArrayList<>(target.goals());
        goals.set(goals.size() - 1, new Goal(last.stripe(), Map.of(last.leader(), Role.MIRROR), last.leader()));
        return new Target(goals, target.zoneLimit());
    }

    @ParameterizedTest
    @MethodSource("faultyTargets")
    void aFaultyTargetIsFoundOut(String violation, Function<Topology, Target> faulty) {
        assertThat(isFound(violation, (array, random) -> TargetProperties.violations(array, faulty.apply(array))))
                .isTrue();
    }

    static Stream<Arguments> faultySteps() {
        return Stream.of(
                Arguments.of("a name comes again", with(Map.of(StepKind.ADD_LISTENER, FaultyPlannerTest::withOldName))),
                Arguments.of("it has not caught up", with(Map.of(StepKind.AWAIT, FaultyPlannerTest::withoutWaiting))),
                Arguments.of("too few", with(Map.of(StepKind.ADD_LISTENER, FaultyPlannerTest::removingFirst))),
                Arguments.of(
                        "leader does not vote", with(Map.of(StepKind.TRANSFER_LEADERSHIP, FaultyPlannerTest::removed))),
                Arguments.of("no end", with(Map.of(StepKind.PROMOTE, FaultyPlannerTest::removed))),
                Arguments.of("too many move", (NextStepsOf) (array, target, most) -> NextSteps.of(array, target, 100)));
    }

    /** A change of a step. */
    private interface Fault {
        Step of(Stripe stripe, Goal goal, Step step);
    }

    private static NextStepsOf with(Map<StepKind, Fault> faults) {
        return (array, target, most) -> NextSteps.of(array, target, most).stream()
                .map(step -> faults.getOrDefault(step.kind(), (stripe, goal, same) -> same)
                        .of(array.stripe(step.stripe()), target.goal(step.stripe()), step))
                .toList();
    }

    private static Step withOldName(Stripe stripe, Goal goal, Step step) {
        return new Step(step.kind(), step.stripe(), new MemberName(step.member().node(), 0), step.role(), step.epoch());
    }

    private static Step withoutWaiting(Stripe stripe, Goal goal, Step step) {
        return new Step(StepKind.PROMOTE, step.stripe(), step.member(), step.role(), step.epoch());
    }

    private static Step removingFirst(Stripe stripe, Goal goal, Step step) {
        return stripe.members().stream()
                .filter(member -> !goal.roles().containsKey(member.node()))
                .filter(member -> !stripe.leader().equals(Optional.of(member.name())))
                .findFirst()
                .map(member -> Step.of(StepKind.REMOVE, stripe, member))
                .orElse(step);
    }

    private static Step removed(Stripe stripe, Goal goal, Step step) {
        MemberName gone = step.kind() == StepKind.PROMOTE
                ? step.member()
                : stripe.leader().orElseThrow();
        return new Step(StepKind.REMOVE, step.stripe(), gone, step.role(), step.epoch());
    }

    @ParameterizedTest
    @MethodSource("faultySteps")
    void aFaultyExecutorIsFoundOut(String violation, NextStepsOf faulty) {
        Parts parts = new Parts(Planner::target, faulty);
        assertThat(isFound(violation, (array, random) -> ExecutorRun.violations(parts, array, random)))
                .isTrue();
    }

    /** A planner that draws new random numbers each time takes another of the cheapest ways. */
    @Test
    void aTargetThatDependsOnTheWayIsFoundOut() {
        Parts parts = new Parts(FaultyPlannerTest::drawnAnew, NextSteps::of);
        assertThat(isFound("planned again", (array, random) -> ExecutorRun.violations(parts, array, random)))
                .isTrue();
    }

    private static Target drawnAnew(Topology array) {
        long seed = array.stripes().stream().mapToLong(Stripe::epoch).sum();
        return Planner.target(new Topology(seed, array.mirrors(), array.witnesses(), array.nodes(), array.stripes()));
    }

    /** Returns whether one of some arrays shows a violation. */
    private static boolean isFound(String violation, BiFunction<Topology, Random, List<String>> check) {
        for (int seed = 0; seed < ARRAYS; seed++) {
            Topology array = new RandomArrays(seed, 6, 8).next();
            if (check.apply(array, new Random(seed)).stream().anyMatch(text -> text.contains(violation))) {
                return true;
            }
        }
        return false;
    }
}
