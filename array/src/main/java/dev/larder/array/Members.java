package dev.larder.array;

import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.node.Hearsay;
import dev.larder.array.node.MembersFile;
import dev.larder.array.node.MembersFile.Origin;
import dev.larder.array.node.Stripe;
import dev.larder.array.node.Stripes;
import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Role;
import dev.larder.array.pull.PullSource.Source;
import dev.larder.array.ratis.LostPromisesException;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.ratis.StripePeer;
import dev.larder.array.slots.Membership;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.memory.StorageException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The members of a node. Those in its file run. A member is made when the array's record wants one here. It stops when the record
 * wants none and the stripe's leader has said that it is removed. Its log stays, and with it its promises.
 *
 * <pre>
 * wanted -> making -> joined: runs as a listener, until the leader adds it
 * not wanted, and removed, and its leader is silent -> stops -> its store is deleted
 * mirror, and its stripe's members say witness -> stops -> its store is deleted -> runs, without one
 * witness, and its stripe's members say mirror -> stops -> pulls a store, unless its log has all entries -> runs
 * </pre>
 *
 * One thread changes the members.
 */
final class Members implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** How long the store of a stopped member stays open: commands may be reading it. */
    private static final long READERS_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How often a store is kept per full log: entries after the last kept one cannot be dropped from the log. */
    private static final int KEPT_PART = 4;

    /**
     * For how many election time-outs a leader must be silent to a member that leaves. An appender to a peer that is being added
     * may fail, and begins again after about a second.
     */
    private static final int SILENT_ELECTIONS = 2;

    /** How long a leader's appender takes at most to begin again. */
    private static final long APPENDER_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

    /** How long a member is left alone after something has failed with it. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record Closing(StoreStripe state, long dueNanos, boolean deletes) {}

    /** The log beginnings after which witnesses continue, by stripe. They lack earlier entries, which no leader still has. */
    private final Map<Integer, LogBeginning> skips = new ConcurrentHashMap<>();

    /** Witnesses that lack entries, or whose log differs from their leader's; the values say where the leader's log begins. */
    private final Map<Integer, LogBeginning> behindWitnesses = new ConcurrentHashMap<>();

    private final ArrayOptions options;
    private final ReadBarrier barrier;
    private final Stripes stripes;
    private final Consumer<Stripe> added;
    private final MembersFile file;
    private final List<StripeMembers> founding;
    private final Map<UUID, StoreStripe> states = new ConcurrentHashMap<>();
    private final Map<Integer, Closing> closing = new HashMap<>();
    private final Map<Integer, Long> failedNanos = new HashMap<>();

    /** When a leader last sent something to each member, as far as was noticed, or when the member first started. */
    private final Map<Integer, Long> heardNanos = new HashMap<>();

    private final Map<Integer, Long> startedNanos = new HashMap<>();

    /** Members that Ratis has ended, as others said that they are no members, and that start again. */
    private final Set<Integer> ended = new HashSet<>();

    private final Set<UUID> broken = ConcurrentHashMap.newKeySet();

    /** Stripes whose leaders count this node as a member, though it has no files of them. */
    private final Set<Integer> lost = new HashSet<>();

    private final Consumer<String> records;
    private final Pulls pulls;

    /**
     * Reads the members in a node's folder. None runs yet.
     *
     * @param frames sends a frame to a node
     * @param records receives the array's record
     * @param added receives each member that runs
     */
    Members(
            ArrayOptions options,
            ReadBarrier barrier,
            Stripes stripes,
            ObjIntConsumer<ByteBuffer> frames,
            Consumer<String> records,
            Consumer<Stripe> added) {
        this.options = options;
        this.barrier = barrier;
        this.stripes = stripes;
        this.records = records;
        this.added = added;
        this.pulls = new Pulls(options, stripes, this::source, frames);
        this.founding = options.members();
        this.file = MembersFile.read(options.directory());
    }

    /** Deletes the files of a member whose making did not end. The member never ran, so it has promised nothing. */
    private void unmake(int number) {
        StoreFiles.delete(
                raftOptions(options).directory().resolve(stripes.id(number).toString()));
        file.unmakes(number);
    }

    /** Creates the files of a node's first members. */
    static void create(ArrayOptions options) {
        Map<Integer, Boolean> own = new HashMap<>();
        List<StripeMembers> all = options.members();
        own(options).forEach(stripe -> {
            own.put(stripe, all.get(stripe).isWitness(name(options)));
            RaftNode.make(raftOptions(options), all.get(stripe).id());
        });
        MembersFile.create(options.directory(), own);
    }

    /** Returns the stripes of a node's first members. */
    static List<Integer> own(ArrayOptions options) {
        return options.members().stream()
                .filter(members -> members.members().contains(name(options)))
                .map(StripeMembers::number)
                .toList();
    }

    /** Returns the name of each member of a node. */
    static MemberName name(ArrayOptions options) {
        return new MemberName(options.node(), 0);
    }

    static RaftOptions raftOptions(ArrayOptions options) {
        return RaftOptions.of(
                        name(options),
                        options.addresses().raft(),
                        options.directory().resolve("raft"),
                        options.encryption())
                .withStripesMost(options.stripes())
                .withElection(options.electionLeast(), options.electionMost())
                .withLogBytes(options.catchUp().logBytes())
                .withValuesOnce(options.valuesOnce());
    }

    /**
     * Opens the stores of the members, except of those whose files are pulled first. A member that fails is tried again later, and
     * ends no other.
     *
     * @return the stripes of all members whose making has ended
     * @throws LostPromisesException if a member has lost its vote, its term or entries: the node must be replaced
     * @throws StorageException if there are members, and all of them fail: the reason is hardly one of a member
     */
    Set<UUID> open() {
        List<Throwable> failures = new ArrayList<>();
        Set<Integer> all = file.all().keySet();
        for (int number : all) {
            try {
                open(number);
            } catch (LostPromisesException e) {
                throw e;
            } catch (RuntimeException | Error e) { // an error of one member ends no other
                failed(number, "cannot open", e);
                failures.add(e);
            }
        }
        if (!failures.isEmpty() && failures.size() == all.size()) {
            Throwable first = failures.getFirst();
            throw new StorageException(
                    "node " + options.node() + " cannot open any of its members: " + first.getMessage(), first);
        }
        return file.all().entrySet().stream()
                .filter(member -> member.getValue().origin() != Origin.MAKING) // it has promised nothing
                .map(member -> stripes.id(member.getKey()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private void open(int number) {
        if (Objects.requireNonNull(file.all().get(number)).origin() == Origin.MAKING) {
            unmake(number);
            return;
        }
        pulls.takeUp(number);
        if (!pulls.isBehind(number)) {
            openStore(number);
        }
    }

    private void failed(int number, String what, Throwable cause) {
        failedNanos.put(number, System.nanoTime());
        LOGGER.log(
                System.Logger.Level.ERROR,
                "node " + options.node() + " " + what + " its member of stripe " + number + ": " + cause,
                cause);
    }

    Pulls pulls() {
        return pulls;
    }

    private Optional<Source> source(UUID stripe) {
        return stripes.here().stream()
                .filter(one -> one.id().equals(stripe) && !one.state().isWitness())
                .findFirst()
                .map(one -> new Source(
                        one.state(),
                        StoreFiles.store(options, one.number()),
                        StoreFiles.record(options, one.number()),
                        RaftLogs.members(raftOptions(options), stripe),
                        one::isReady));
    }

    /** Returns the state that the entries of a stripe change. */
    StoreStripe state(UUID stripe) {
        return Objects.requireNonNull(states.get(stripe));
    }

    /**
     * Opens the store of a stripe, unless it lacks entries that its own log does not have: the store of a member that came back.
     */
    private void openStore(int number) {
        UUID id = stripes.id(number);
        MembersFile.Entry member = Objects.requireNonNull(file.all().get(number));
        if (member.isWitness()) {
            StoreFiles.deleteMirror(options, number); // from its time as a mirror
        } else {
            StoreFiles.deleteWitness(options, number);
        }
        StoreStripe state = StoreStripe.open(
                member.isWitness() ? StoreFiles.witness(options, number) : StoreFiles.store(options, number),
                options.segmentBytes(),
                options.valuesOnce(),
                member.isWitness(),
                options.catchUp().logBytes() / KEPT_PART,
                InstantSource.system(),
                () -> barrier.roleChanged(id),
                cause -> stopped(number, cause));
        boolean isOpen = false;
        try {
            if (fitsItsLog(number, member, state)) {
                listen(number, state);
                states.put(id, state);
                broken.remove(id); // the errors of the previous member
                isOpen = true;
            }
        } finally {
            if (!isOpen) {
                state.close();
            }
        }
    }

    private void listen(int number, StoreStripe state) {
        state.onBehind((begun, least) -> {
            if (state.isWitness()) {
                behindWitnesses.put(number, begun);
            } else {
                pulls.behind(number, least);
            }
        });
        if (number == 0) {
            state.onRecord(records);
        }
    }

    /** Returns whether a store and its log fit together; if not, its files are pulled first. */
    private boolean fitsItsLog(int number, MembersFile.Entry member, StoreStripe state) {
        RaftOptions raft = raftOptions(options);
        UUID id = stripes.id(number);
        state.skipTo(member.from());
        Optional.ofNullable(skips.remove(number))
                .filter(begun -> RaftNode.mayFollow(raft, id, begun)) // else the later leader reports it again
                .ifPresent(begun -> state.skipTo(begun.first()));
        RaftNode.dropParted(raft, id, state.durable());
        long first = RaftLogs.firstEntry(raft, id);
        if (state.durable().index() + 1 < first) {
            if (member.isWitness()) {
                throw new StorageException(
                        StoreFiles.witness(options, number) + " ends before the log, which begins with entry " + first
                                + ": the file does not belong to this witness");
            }
            pulls.behind(number, first - 1);
            return false;
        }
        state.values()
                .ifPresent(values ->
                        RaftNode.settleValues(raft, id, state.durable().index(), values));
        RaftNode.requireEntries(raft, id, state.durable().index());
        return true;
    }

    private void stopped(int number, Throwable cause) {
        broken.add(stripes.id(number));
        stripes.failed(number);
        LOGGER.log(
                System.Logger.Level.ERROR,
                "node " + options.node() + " has stopped its member of stripe " + number + ", which failed: " + cause,
                cause);
    }

    /** Starts all members. */
    void start(RaftNode raft) {
        file.all().keySet().stream()
                .filter(number -> states.containsKey(stripes.id(number)))
                .forEach(number -> start(raft, number));
    }

    private void start(RaftNode raft, int number) {
        UUID id = stripes.id(number);
        if (Objects.requireNonNull(file.all().get(number)).origin() == Origin.FOUNDER) {
            raft.add(id, peers(founding.get(number)));
        } else {
            raft.join(id);
        }
        barrier.add(id, raft.member(id));
        Stripe stripe = new Stripe(number, id, raft, barrier, state(id), options.ageMost());
        stripes.add(stripe);
        long now = System.nanoTime();
        startedNanos.put(number, now);
        if (!ended.remove(number)) {
            heardNanos.put(number, now);
        }
        pulls.runs(number);
        added.accept(stripe);
    }

    private List<StripePeer> peers(StripeMembers members) {
        return members.members().stream()
                .flatMap(member -> Optional.ofNullable(options.nodes().get(member.node()))
                        .map(addresses -> new StripePeer(member, addresses.raft(), members.isWitness(member)))
                        .stream())
                .toList();
    }

    /** Makes, starts and stops members, as the record and the leaders of the stripes say. Failed steps are tried again later. */
    void follow(RaftNode raft, ArrayRecord record) {
        closeDue();
        long now = System.nanoTime();
        for (Goal goal : record.goals()) {
            int number = goal.stripe();
            Long failed = failedNanos.get(number);
            boolean isResting = failed != null && now - failed < REST_NANOS;
            if (isResting || closing.containsKey(number)) { // its files are still in use
                continue;
            }
            try {
                follow(raft, number, Optional.ofNullable(goal.roles().get(options.node())));
                failedNanos.remove(number);
            } catch (RuntimeException | Error e) { // an error of one member ends no other
                failed(number, "cannot change", e);
            }
        }
    }

    private void follow(RaftNode raft, int number, Optional<Role> wanted) {
        MembersFile.Entry own = file.all().get(number);
        if (own != null && own.origin() == Origin.MAKING) { // its making failed: it is made again
            unmake(number);
            own = null;
        }
        if (stripes.hasMember(number)) {
            lookAt(raft, number, wanted.isPresent());
        } else if (own != null) {
            if (!pulls.isBehind(number) || pulls.isPulled(number)) {
                openAndStart(raft, number);
            }
        } else if (wanted.isPresent()) {
            make(raft, number, wanted.get() == Role.WITNESS);
        }
    }

    private void openAndStart(RaftNode raft, int number) {
        try {
            open(number);
            if (states.containsKey(stripes.id(number))) { // else its files are pulled first
                start(raft, number);
            }
        } catch (RuntimeException | Error e) {
            stopAfter(e, raft, number);
            throw e;
        }
    }

    /** Stops a member that was started in part. */
    private void stopAfter(Throwable cause, RaftNode raft, int number) {
        try {
            stop(raft, number, false);
        } catch (RuntimeException | Error e) { // the start had not come so far
            cause.addSuppressed(e);
        }
    }

    private void lookAt(RaftNode raft, int number, boolean isWanted) {
        UUID id = stripes.id(number);
        if (broken.contains(id)) {
            return;
        }
        noteLeader(raft, number);
        if (!isWanted && isRemoved(raft, number)) {
            file.leaves(number, state(id).durable());
            stop(raft, number, true);
            LOGGER.log(System.Logger.Level.INFO, "node " + options.node() + " has left stripe " + number);
        } else if (pulls.isBehind(number)) {
            stop(raft, number, false);
        } else if (!raft.isAlive(id)) { // it has learned of its removal; it may be wanted again, or still be needed
            stop(raft, number, false);
            ended.add(number);
        } else if (!changesRole(raft, number)) {
            skip(raft, number);
        }
    }

    /** Stops a member to which its stripe's members give another role; it then starts in that role. */
    private boolean changesRole(RaftNode raft, int number) {
        UUID id = stripes.id(number);
        StoreStripe state = state(id);
        if (!raft.configurations().isSettled(id)) {
            return false;
        }
        Membership members = raft.configurations().members(id);
        boolean isWitness = members.isWitness(name(options));
        if (!members.voters().contains(name(options)) || isWitness == state.isWitness()) {
            return false;
        }
        stop(raft, number, false); // its store is deleted as it starts again
        if (isWitness) {
            file.becomesWitness(number, state.durable());
        } else {
            file.becomesMirror(number);
        }
        LOGGER.log(
                System.Logger.Level.INFO,
                "node " + options.node() + " becomes a " + (isWitness ? "witness" : "mirror") + " of stripe " + number);
        return true;
    }

    /**
     * Makes a witness continue after the first entry of its leader's log, once that leader has applied the entry. The witness
     * promises nothing of the entries before: all members that had not applied them pull files. It is not enough that another
     * member has applied so many entries: the leader may have been replaced, and its entry too.
     */
    private void skip(RaftNode raft, int number) {
        LogBeginning told = behindWitnesses.get(number);
        if (told == null) {
            return;
        }
        if (raft.member(stripes.id(number)).term() != told.term()) { // a later leader reports it again
            behindWitnesses.remove(number, told);
            return;
        }
        if (!stripes.isApplied(number, told.leader(), told.first().index()) || !behindWitnesses.remove(number, told)) {
            return;
        }
        Place first = told.first();
        skips.put(number, told);
        stop(raft, number, false);
        LOGGER.log(
                System.Logger.Level.INFO,
                "node " + options.node() + ", a witness of stripe " + number + ", continues after entry "
                        + first.index());
    }

    /**
     * Returns whether a leader of the same or a later term has said that this node is not a member, and no leader sends to it. A
     * leader that does may be about to add it. Once it has, the stripe can need this member's answers to elect a leader, or to
     * change its members again: so a member never leaves then.
     */
    private boolean isRemoved(RaftNode raft, int number) {
        UUID id = stripes.id(number);
        if (!isLeaderSilent(number)) {
            return false;
        }
        Membership own = raft.configurations().members(id);
        long term = raft.member(id).term();
        Optional<Hearsay> told = stripes.told(number);
        if (told.isEmpty() || told.get().term() < term) {
            return false;
        }
        Membership said = told.get().members();
        boolean isLater = said.epoch() > own.epoch() || (said.epoch() == own.epoch() && !own.contains(name(options)));
        return isLater && !said.contains(name(options));
    }

    /** Notes when a leader last sent something. At each look: a member that stands for election has forgotten its leader. */
    private void noteLeader(RaftNode raft, int number) {
        long now = System.nanoTime();
        raft.configurations()
                .leaderSilenceMillis(stripes.id(number))
                .ifPresent(millis -> heardNanos.put(number, now - TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    /**
     * Returns whether no leader has sent this node's member anything for some time, and the member has run for long enough to hear
     * of one. If the last configuration in its log is a joint one, the member stands for election, and Ratis ends it as the others
     * refuse it. It then starts again, so the silence counts from before.
     */
    private boolean isLeaderSilent(int number) {
        long now = System.nanoTime();
        return now - startedNanos.getOrDefault(number, now) >= APPENDER_NANOS
                && now - heardNanos.getOrDefault(number, now)
                        >= options.electionMost().multipliedBy(SILENT_ELECTIONS).toNanos();
    }

    /** Takes each step, whatever those before it throw: else the store would stay open, and be opened once more. */
    private void stop(RaftNode raft, int number, boolean deletes) {
        UUID id = stripes.id(number);
        ClosingSteps steps = new ClosingSteps();
        steps.take("stripe", () -> stripes.remove(number));
        steps.take("barrier", () -> barrier.remove(id));
        steps.take("raft", () -> raft.remove(id));
        StoreStripe state = states.remove(id);
        if (state != null) {
            boolean goes = deletes && !options.valuesOnce(); // else the values of its log's entries would be deleted
            closing.put(number, new Closing(state, System.nanoTime() + READERS_NANOS, goes));
        }
        steps.end();
    }

    private void closeDue() {
        long now = System.nanoTime();
        for (int number : List.copyOf(closing.keySet())) {
            Closing due = Objects.requireNonNull(closing.get(number));
            if (due.dueNanos - now <= 0) {
                closing.remove(number);
                close(number, due);
            }
        }
    }

    private void close(int number, Closing due) {
        try {
            due.state.close();
            if (due.deletes) {
                StoreFiles.delete(options, number);
            }
        } catch (RuntimeException | Error e) { // the rest is deleted before there is another store
            LOGGER.log(System.Logger.Level.ERROR, "cannot delete the store of stripe " + number + ": " + e, e);
        }
    }

    private void make(RaftNode raft, int number, boolean isWitness) {
        UUID id = stripes.id(number);
        Optional<Hearsay> told = stripes.told(number);
        if (told.isEmpty()) {
            return; // without a leader, no node could add this one
        }
        RaftOptions raftOptions = raftOptions(options);
        boolean hasFiles = RaftNode.hasFiles(raftOptions, id);
        if (!hasFiles && told.get().members().contains(name(options))) {
            if (lost.add(number)) {
                LOGGER.log(
                        System.Logger.Level.ERROR,
                        "node " + options.node() + " is a member of stripe " + number
                                + ", but has no files of it: it has"
                                + " lost its votes; do not start it again under its number");
            }
            return;
        }
        pulls.forget(number);
        if (!hasFiles || !options.valuesOnce()) {
            StoreFiles.delete(options, number); // what an earlier member left when it was killed
        }
        if (!hasFiles) {
            file.makes(number, isWitness);
            RaftNode.make(raftOptions, id);
        }
        file.joins(number, isWitness);
        openAndStart(raft, number);
        LOGGER.log(System.Logger.Level.INFO, "node " + options.node() + " is ready to join stripe " + number);
    }

    /** Closes all stores. */
    @Override
    public void close() {
        ClosingSteps steps = new ClosingSteps();
        Stream.concat(states.values().stream(), closing.values().stream().map(Closing::state))
                .toList()
                .forEach(state -> steps.take("store", state::close));
        steps.end();
    }
}
