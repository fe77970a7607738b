package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.plan.Condition;
import dev.larder.array.plan.Member;
import dev.larder.array.plan.NextSteps;
import dev.larder.array.plan.Role;
import dev.larder.array.plan.Step;
import dev.larder.array.plan.StepKind;
import dev.larder.array.plan.Target;
import dev.larder.array.plan.Topology;
import dev.larder.array.ratis.RaftConfigurations;
import dev.larder.array.ratis.StripePeer;
import dev.larder.array.slots.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Does the steps of a plan for the stripes that this node leads. A stripe's own group says where the stripe is, and the array's
 * record where it is to be. So nothing is lost if a node is killed at any step: the next leader looks, and continues.
 *
 * <p>Used by one thread.
 */
public final class Moves {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** How many of the stripes that this node leads move at once. */
    private static final int AT_ONCE = 1;

    /** How many entries a member may lack and still count as current. */
    private static final long LAG_MOST = 100;

    /** How many entries it may still have to apply, by its node's report of some tenths of a second ago. */
    private static final long UNAPPLIED_MOST = 1000;

    private final UUID array;
    private final Stripes stripes;
    private final Supplier<ArrayRecord> record;
    private final long silenceMostMillis;

    /** The changes in progress: a stripe's change is not begun again before it ends. */
    private final Map<Integer, CompletableFuture<?>> open = new HashMap<>();

    private final TransferPauses pauses = new TransferPauses(System::nanoTime);

    /**
     * Creates the moves of a node.
     *
     * @param record returns the array's record
     * @param silenceMost the longest silence of a member that is not behind
     */
    public Moves(UUID array, Stripes stripes, Supplier<ArrayRecord> record, Duration silenceMost) {
        this.array = array;
        this.stripes = stripes;
        this.record = record;
        this.silenceMostMillis = silenceMost.toMillis();
    }

    /** Returns the present nodes and the stripes that this node leads. A stripe whose members are being changed is left out. */
    public Topology topology() {
        List<dev.larder.array.plan.Stripe> led = new ArrayList<>();
        for (Stripe stripe : stripes.led()) {
            asIs(stripe).ifPresent(led::add);
        }
        return record.get().topology(array, led);
    }

    private Optional<dev.larder.array.plan.Stripe> asIs(Stripe stripe) {
        RaftConfigurations configurations = stripe.raft().configurations();
        if (!configurations.isSettled(stripe.id())) {
            return Optional.empty();
        }
        Membership members = configurations.members(stripe.id());
        List<Member> all = new ArrayList<>();
        members.voters().forEach(name -> all.add(member(stripe, name, members.isWitness(name), true)));
        members.listeners().forEach(name -> all.add(member(stripe, name, false, false)));
        return Optional.of(new dev.larder.array.plan.Stripe(
                stripe.number(), all, Optional.of(stripe.name()), members.epoch(), Map.of()));
    }

    /**
     * Returns a member. A mirror that runs without a store was a witness, and has yet to build one. If its node is away, its last
     * report no longer counts: stripes would wait for it.
     */
    private Member member(Stripe stripe, MemberName name, boolean isWitness, boolean votes) {
        if (isWitness) {
            return new Member(name, Role.WITNESS, votes, condition(stripe, name));
        }
        boolean isBuilding = stripes.isThere(name.node()) && stripes.leaders().isWitness(name.node(), stripe.id());
        Condition condition = isBuilding ? Condition.BUILDING : condition(stripe, name);
        if (condition == Condition.CURRENT && !name.equals(stripe.name()) && !hasStore(stripe, name)) {
            condition = Condition.BEHIND;
        }
        return new Member(name, Role.MIRROR, votes, condition);
    }

    /** Returns whether a member runs with a store that has nearly all entries: a log alone does not hold the data. */
    private boolean hasStore(Stripe stripe, MemberName name) {
        OptionalLong applied = stripes.leaders().applied(name.node(), stripe.id());
        return stripes.leaders().hasMember(name.node(), stripe.id())
                && !stripes.leaders().isWitness(name.node(), stripe.id())
                && applied.isPresent()
                && stripe.state().appliedIndex().get() - applied.getAsLong() <= UNAPPLIED_MOST;
    }

    private Condition condition(Stripe stripe, MemberName name) {
        if (name.equals(stripe.name())) {
            return Condition.CURRENT;
        }
        OptionalLong silence = stripe.raft().configurations().silenceMillis(stripe.id(), name);
        boolean answers = silence.isPresent() && silence.getAsLong() <= silenceMostMillis;
        return answers && stripe.raft().lag(stripe.id(), name) <= LAG_MOST ? Condition.CURRENT : Condition.BEHIND;
    }

    /** Begins the next steps, without waiting for their ends. */
    public void run() {
        open.values().removeIf(CompletableFuture::isDone);
        Topology now = topology();
        Set<Integer> led = new HashSet<>();
        now.stripes().forEach(stripe -> led.add(stripe.number()));
        pauses.led(led);
        Target target = new Target(
                record.get().goals().stream()
                        .filter(goal -> led.contains(goal.stripe()))
                        .toList(),
                1);
        for (Step step : NextSteps.of(now, target, AT_ONCE, this::canBegin)) {
            Stripe stripe = stripes.here(step.stripe());
            if (stripe != null && !open.containsKey(step.stripe())) {
                boolean moves = now.stripe(step.stripe()).voters().count()
                        > target.goal(step.stripe()).roles().size();
                begin(stripe, step, moves);
            }
        }
    }

    /** Returns whether a stripe that has not begun to move could do so now. If it could not, another stripe begins. */
    private boolean canBegin(Step step) {
        Stripe stripe = stripes.here(step.stripe());
        if (stripe == null || open.containsKey(step.stripe())) {
            return true; // it has begun
        }
        return switch (step.kind()) {
            case TRANSFER_LEADERSHIP -> pauses.isDue(step.stripe(), false);
            case ADD_LISTENER -> ready(stripe, step).isPresent();
            default -> true;
        };
    }

    private void begin(Stripe stripe, Step step, boolean moves) {
        boolean isTransfer = step.kind() == StepKind.TRANSFER_LEADERSHIP;
        if (step.kind() == StepKind.AWAIT || (isTransfer && !pauses.isDue(step.stripe(), moves))) {
            return;
        }
        if (isTransfer) {
            pauses.tried(step.stripe());
        }
        CompletableFuture<?> begun = isTransfer ? stripe.transfer(step.member()) : change(stripe, step);
        open.put(step.stripe(), begun);
        var _ = begun.whenComplete((done, error) -> {
            if (error != null) {
                LOGGER.log(System.Logger.Level.DEBUG, step + ": not done: " + error);
            } else {
                LOGGER.log(System.Logger.Level.INFO, step + (Boolean.FALSE.equals(done) ? ": not done" : ": done"));
            }
        });
    }

    private CompletableFuture<Void> change(Stripe stripe, Step step) {
        RaftConfigurations configurations = stripe.raft().configurations();
        Membership before = configurations.members(stripe.id());
        if (before.epoch() != step.epoch()) {
            return CompletableFuture.failedFuture(new IllegalStateException("its members have changed"));
        }
        Set<MemberName> voters = new HashSet<>(before.voters());
        Set<MemberName> listeners = new HashSet<>(before.listeners());
        Set<MemberName> witnesses = new HashSet<>(before.witnesses());
        voters.remove(step.member());
        listeners.remove(step.member());
        witnesses.remove(step.member());
        if (step.role() == Role.WITNESS && step.kind() != StepKind.REMOVE) {
            witnesses.add(step.member());
        }
        List<StripePeer> added = List.of();
        switch (step.kind()) {
            case ADD_LISTENER -> {
                Optional<StripePeer> peer = ready(stripe, step);
                if (peer.isEmpty()) {
                    return CompletableFuture.failedFuture(new IllegalStateException("its node has no member yet"));
                }
                added = List.of(peer.get());
                voters.add(step.member()); // Ratis copies first, and then lets it vote: see the design page
            }
            case PROMOTE, ASSIGN_ROLE -> voters.add(step.member());
            case REMOVE -> {}
            default -> throw new IllegalArgumentException("this step does not change members: " + step);
        }
        return configurations.change(stripe.id(), before, voters, listeners, witnesses, added);
    }

    /** Returns the member that is to be added, if its node is known and has it ready. */
    private Optional<StripePeer> ready(Stripe stripe, Step step) {
        MemberName name = step.member();
        if (!stripes.leaders().hasMember(name.node(), stripe.id())) {
            return Optional.empty();
        }
        boolean isWitness = step.role() == Role.WITNESS;
        return record.get()
                .node(name.node())
                .map(node -> new StripePeer(
                        name, Objects.requireNonNull(node).addresses().raft(), isWitness));
    }
}
