package dev.larder.array.plan;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An executor that is killed after each step, and plans again from the state that it finds. The check of each step is independent
 * of the planner: majorities are counted here.
 */
final class ExecutorRun {

    /** The parts under test: the planner's, or faulty ones. */
    record Parts(Function<Topology, Target> target, NextStepsOf nextSteps) {
        static final Parts SOUND = new Parts(Planner::target, NextSteps::of);
    }

    /** Returns the next steps of a plan. */
    interface NextStepsOf {
        List<Step> of(Topology topology, Target target, int movesAtOnce);
    }

    private final Parts parts;
    private final Topology start;
    private final int movesAtOnce;
    private final Set<String> names = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private Topology now;
    private int added;
    private int steps;

    private ExecutorRun(Parts parts, Topology start, int movesAtOnce) {
        this.parts = parts;
        this.start = start;
        this.now = start;
        this.movesAtOnce = movesAtOnce;
        for (Stripe stripe : start.stripes()) {
            stripe.incarnations().forEach((node, last) -> {
                for (int incarnation = 0; incarnation <= last; incarnation++) {
                    names.add(stripe.number() + "/" + new MemberName(node, incarnation));
                }
            });
        }
    }

    /** Returns what went wrong on the way from an array to its target. */
    static List<String> violations(Parts parts, Topology start, Random random) {
        ExecutorRun run = new ExecutorRun(parts, start, 1 + random.nextInt(3));
        run.toTheEnd(random);
        return run.violations;
    }

    /** Returns what went wrong while leaders changed and members fell behind, and after that on the way to the target. */
    static List<String> violationsWhileDisturbed(Topology start, Random random) {
        ExecutorRun run = new ExecutorRun(Parts.SOUND, start, 1 + random.nextInt(3));
        run.disturbed(random);
        Topology calm = run.now.withStripes(stripe -> caughtUp(stripe, stripe.members()));
        run.violations.addAll(violations(Parts.SOUND, calm, random));
        return run.violations;
    }

    private static Stripe caughtUp(Stripe stripe, List<Member> members) {
        Stripe changed = stripe;
        for (Member member : members) {
            if (member.votes() && member.condition() == Condition.BEHIND) {
                changed = changed.with(member.name(), Condition.CURRENT);
            }
        }
        return changed;
    }

    private void disturbed(Random random) {
        List<Step> past = new ArrayList<>();
        for (int round = 0; round < 40; round++) {
            List<Step> next = NextSteps.of(now, Planner.target(now), movesAtOnce);
            if (!next.isEmpty()) {
                Step step = next.get(random.nextInt(next.size()));
                take(step);
                past.add(step);
            }
            Stripe stripe = now.stripes().get(random.nextInt(now.stripes().size()));
            Stripe other = disturbed(stripe, random);
            boolean sound = hasMajority(other, voters(other));
            now = sound ? now.with(other) : now;
            past.stream()
                    .filter(step -> step.epoch() != now.stripe(step.stripe()).epoch())
                    .forEach(step -> require(now.after(List.of(step)).equals(now), "a late step", step));
        }
    }

    /** Lets another member lead, or a member that does not lead fall behind or catch up. */
    private static Stripe disturbed(Stripe stripe, Random random) {
        Member member = stripe.members().get(random.nextInt(stripe.members().size()));
        boolean leads = stripe.leader().filter(member.name()::equals).isPresent();
        if (member.canLead() && random.nextBoolean()) {
            return stripe.withLeader(Optional.of(member.name()));
        }
        return switch (member.condition()) {
            case CURRENT -> leads ? stripe : stripe.with(member.name(), Condition.BEHIND);
            case BEHIND -> stripe.with(member.name(), Condition.CURRENT);
            case BUILDING, LOST -> stripe;
        };
    }

    private void require(boolean holds, String what, Object about) {
        if (!holds) {
            violations.add(what + ": " + about);
        }
    }

    private void toTheEnd(Random random) {
        Target target = parts.target().apply(start);
        int most = 20 * (1 + start.stripes().size()) * start.membersAStripe();
        List<Step> next = parts.nextSteps().of(now, target, movesAtOnce);
        while (!next.isEmpty() && violations.isEmpty()) {
            Step step = next.get(random.nextInt(next.size()));
            take(step);
            require(++steps < most, "there is no end", step);
            Target again = parts.target().apply(now);
            require(again.equals(target), "planned again after " + step + ", the target differs", again);
            next = parts.nextSteps().of(now, again, movesAtOnce);
        }
        if (violations.isEmpty()) {
            target.goals()
                    .forEach(goal -> require(
                            goal.isReached(now.stripe(goal.stripe())),
                            "not reached: " + goal,
                            now.stripe(goal.stripe())));
            require(added == TargetProperties.moves(start, target), "members that were added", added);
        }
    }

    private void take(Step step) {
        Stripe before = now.stripe(step.stripe());
        now = now.after(List.of(step));
        Stripe after = now.stripe(step.stripe());
        require(!after.equals(before), "a step that does nothing", step);
        require(now.after(List.of(step)).equals(now), "done twice, it is something else", step);
        membersHold(step, before, after);
        votersHold(step, before, after);
        boolean begins = step.kind() == StepKind.ADD_LISTENER || step.kind() == StepKind.ASSIGN_ROLE;
        require(!begins || moving() <= movesAtOnce, "too many move at once", step);
    }

    private void membersHold(Step step, Stripe before, Stripe after) {
        boolean changed = !before.members().equals(after.members()) && step.kind() != StepKind.AWAIT;
        require(after.epoch() == before.epoch() + (changed ? 1 : 0), "epoch", step);
        if (step.kind() == StepKind.ADD_LISTENER) {
            added++;
            require(names.add(step.stripe() + "/" + step.member()), "a name comes again", step);
            // The new member counts at once, before it acknowledges anything.
            Set<MemberName> more = new HashSet<>(voters(before));
            boolean allAcknowledge = acknowledging(before, more) == more.size();
            more.add(step.member());
            require(allAcknowledge || hasMajority(before, more), "its answer is needed at once", step);
        }
        boolean caughtUp = before.member(step.member())
                .filter(member -> member.condition() == Condition.CURRENT)
                .isPresent();
        require(step.kind() != StepKind.PROMOTE || caughtUp, "it votes, and it has not caught up", step);
        require(living(after) <= Math.max(start.membersAStripe() + 1, living(before)), "too many members", after);
        long mirrors = after.members().stream().filter(Member::canLead).count();
        long were = before.members().stream().filter(Member::canLead).count();
        require(mirrors >= Math.min(were, start.mirrors()), "too few mirrors", step);
    }

    private static long living(Stripe stripe) {
        return stripe.members().stream().filter(member -> !member.isLost()).count();
    }

    private void votersHold(Step step, Stripe before, Stripe after) {
        Set<MemberName> were = voters(before);
        Set<MemberName> are = voters(after);
        Set<MemberName> all = new HashSet<>(were);
        all.addAll(are);
        require(all.size() - Math.min(were.size(), are.size()) <= 1, "voters change by more than one", step);
        require(
                were.equals(are) || (hasMajority(before, were) && hasMajority(after, are)),
                "voters change without a majority",
                step);
        require(hasMajority(after, are) || !hasMajority(before, were), "the majority is lost", step);
        require(
                are.size() >= Math.min(were.size(), start.membersAStripe())
                        || before.member(step.member()).filter(Member::isLost).isPresent(),
                "too few voters",
                step);
        require(
                after.leader().flatMap(after::member).filter(Member::votes).isPresent(),
                "the leader does not vote",
                step);
        require(
                after.leader().equals(before.leader())
                        || after.leader()
                                .flatMap(after::member)
                                .filter(Member::canLead)
                                .isPresent(),
                "the leader cannot lead",
                step);
    }

    private static Set<MemberName> voters(Stripe stripe) {
        return stripe.members().stream().filter(Member::votes).map(Member::name).collect(Collectors.toSet());
    }

    private static boolean hasMajority(Stripe stripe, Set<MemberName> voters) {
        return acknowledging(stripe, voters) > voters.size() / 2;
    }

    private static long acknowledging(Stripe stripe, Set<MemberName> voters) {
        return stripe.members().stream()
                .filter(member -> voters.contains(member.name()))
                .filter(member -> member.condition() != Condition.LOST && member.condition() != Condition.BEHIND)
                .count();
    }

    /** Counts the stripes that move, and do not wait for a voter meanwhile. */
    private long moving() {
        return now.stripes().stream()
                .filter(stripe -> isCopying(stripe)
                        || (hasMoreMembers(stripe)
                                && acknowledging(stripe, voters(stripe))
                                        == voters(stripe).size()))
                .count();
    }

    private static boolean isCopying(Stripe stripe) {
        return stripe.members().stream()
                .anyMatch(member -> member.condition() == Condition.BUILDING
                        || (!member.votes() && member.condition() == Condition.BEHIND));
    }

    private boolean hasMoreMembers(Stripe stripe) {
        return voters(stripe).size() > now.membersAStripe()
                || stripe.members().stream().anyMatch(member -> !member.votes());
    }
}
