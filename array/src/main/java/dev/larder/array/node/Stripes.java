package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.NodeAddresses;
import dev.larder.array.node.Leadership.Claim;
import dev.larder.array.node.Leadership.Here;
import dev.larder.array.ratis.LogEnd;
import dev.larder.array.slots.Membership;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.slots.StripeSlots;
import dev.larder.memory.StorageException;
import dev.larder.resp.ReplyException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The stripes of the array as this node sees them: its own members, and where the others are. Thread-safe. */
public final class Stripes {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long HAND_OVER_SECONDS = 5;

    /** How long a command waits for a leader: less than clients wait for an answer. */
    private static final long ELECTION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A task that waits until a stripe is led. */
    private record Election(int stripe, Runnable task, long untilNanos, AtomicBoolean ended) {
        void end() {
            if (!ended.getAndSet(true)) {
                task.run();
            }
        }
    }

    private final int self;
    private final StripeSlots slots;
    private final List<StripeMembers> members;
    private volatile SortedMap<Integer, NodeAddresses> addresses = new TreeMap<>();
    private final Leaders leaders = new Leaders(System::nanoTime);
    private final AtomicReferenceArray<@Nullable Stripe> here;
    private final Map<Integer, Long> pulled = new ConcurrentHashMap<>();
    private final Queue<Election> elections = new ConcurrentLinkedQueue<>();

    /**
     * Creates the stripes. None of their members is on this node yet.
     *
     * @param self the number of this node
     * @param members the members with which each stripe was made
     */
    public Stripes(int self, List<StripeMembers> members) {
        this.self = self;
        this.slots = new StripeSlots(members.size());
        this.members = List.copyOf(members);
        this.here = new AtomicReferenceArray<>(members.size());
    }

    /** Sets the nodes of the array, and where they listen. */
    public void nodes(Map<Integer, NodeAddresses> known) {
        addresses = new TreeMap<>(known);
    }

    /** Adds a member of this node. */
    public void add(Stripe stripe) {
        here.set(stripe.number(), stripe);
    }

    /** Removes this node's member of a stripe, and ends the waits of clients in its store. */
    public void remove(int stripe) {
        Stripe removed = here.getAndSet(stripe, null);
        if (removed != null) {
            removed.end();
        }
    }

    /** Handles the failure of this node's member of a stripe: ends the waits of clients in its store. */
    public void failed(int stripe) {
        Stripe failed = here.get(stripe);
        if (failed != null) {
            failed.failed();
        }
    }

    /** Returns the identity of a stripe. */
    public UUID id(int stripe) {
        return members.get(stripe).id();
    }

    /** Returns whether this node has a member of a stripe, which runs or has stopped by itself. */
    public boolean hasMember(int stripe) {
        return here.get(stripe) != null;
    }

    /** Returns the members of a stripe, as reported by the last of its leaders that this node has heard. */
    public Optional<Hearsay> told(int stripe) {
        return leaders.members(id(stripe));
    }

    Leaders leaders() {
        return leaders;
    }

    int self() {
        return self;
    }

    StripeSlots slots() {
        return slots;
    }

    int count() {
        return members.size();
    }

    SortedSet<Integer> nodes() {
        return new TreeSet<>(addresses.keySet());
    }

    /** Returns the other nodes of the array. */
    public SortedSet<Integer> others() {
        SortedSet<Integer> others = nodes();
        others.remove(self);
        return others;
    }

    /**
     * Returns where a client finds a node; empty if the node does not listen for such clients, or has left the array.
     *
     * @param encrypted whether the client speaks TLS
     */
    Optional<InetSocketAddress> address(int node, boolean encrypted) {
        NodeAddresses known = addresses.get(node);
        return known == null ? Optional.empty() : known.clients(encrypted);
    }

    /** Returns the host of a node in the form for clients; empty if the node has left the array. */
    String host(int node) {
        NodeAddresses known = addresses.get(node);
        return known == null ? "" : host(known.clients());
    }

    /** Returns whether clients can be sent to a node. */
    boolean isKnown(int node) {
        return addresses.containsKey(node);
    }

    /** Returns the port on which a node listens for clients that speak TLS, if it does. */
    OptionalInt tlsPort(int node) {
        NodeAddresses known = addresses.get(node);
        return known == null ? OptionalInt.empty() : known.tlsPort();
    }

    /** Returns the nodes that have a member of a stripe, as far as is known; at first the nodes where the stripe was made. */
    List<Integer> nodes(int stripe) {
        return nodes(stripe, Membership::nodes, made -> true);
    }

    /** Returns the nodes of a stripe that keep a store: clients can be sent to them. */
    List<Integer> mirrors(int stripe) {
        StripeMembers made = members.get(stripe);
        return nodes(stripe, Membership::mirrors, member -> !made.isWitness(member));
    }

    private List<Integer> nodes(int stripe, Function<Membership, List<Integer>> chosen, Predicate<MemberName> first) {
        Stripe own = here.get(stripe);
        Optional<Membership> known = own != null && own.isReady()
                ? own.claim()
                        .map(Claim::members)
                        .filter(members -> !members.voters().isEmpty())
                : leaders.members(id(stripe)).map(Hearsay::members);
        return known
                .map(chosen)
                .orElseGet(() -> members.get(stripe).members().stream()
                        .filter(first)
                        .map(MemberName::node)
                        .toList())
                .stream()
                .filter(node -> addresses.containsKey(node))
                .toList();
    }

    /**
     * Returns whether another node's member has reported that it has applied an entry of its log: the entry is committed then.
     */
    public boolean isApplied(int stripe, int node, long index) {
        long applied = leaders.applied(node, id(stripe)).orElse(-1);
        return applied >= index && applied < Long.MAX_VALUE; // a member of an earlier release reports this as it ends
    }

    /** Returns the members of this node. */
    public List<Stripe> here() {
        return IntStream.range(0, here.length())
                .mapToObj(here::get)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns this node's member of a stripe; null if it has none. */
    @Nullable
    Stripe here(int stripe) {
        return here.get(stripe);
    }

    /** Returns this node's member of a stripe, if it has one. */
    Optional<Stripe> here(UUID stripe) {
        return here().stream().filter(one -> one.id().equals(stripe)).findFirst();
    }

    /** Returns the members of this node that lead and serve. */
    List<Stripe> led() {
        return here().stream().filter(Stripe::isReady).toList();
    }

    /** Returns the node that leads a stripe, as far as is known. */
    OptionalInt leader(int stripe) {
        Stripe own = here.get(stripe);
        if (own != null && own.isReady()) {
            return OptionalInt.of(self);
        }
        OptionalInt told = leaders.leader(members.get(stripe).id());
        if (told.isPresent() || own == null) {
            return told;
        }
        OptionalInt known = own.leader();
        return known.isPresent()
                        && known.getAsInt() != self
                        && isThere(known.getAsInt())
                        && !isWitness(known.getAsInt(), stripe)
                ? known
                : OptionalInt.empty();
    }

    private boolean isWitness(int node, int stripe) {
        return leaders.isWitness(node, id(stripe));
    }

    /** Returns whether this node has heard of a node a short time ago. */
    boolean isThere(int node) {
        return node == self || leaders.isThere(node);
    }

    /**
     * Returns the refusal of a command on a slot that this node does not lead. A client that speaks TLS is never sent to a port
     * without TLS: its greeting would fail, and it would follow the same way again. Redis names port 0 then, which is no port
     * either. So the error says what is missing. The client may try again once the node listens for TLS.
     *
     * @param encrypted whether the client speaks TLS
     */
    ReplyException elsewhere(int slot, boolean encrypted) {
        int stripe = slots.stripeOf(slot);
        OptionalInt leader = leader(stripe);
        OptionalInt next = leader.isPresent() && leader.getAsInt() != self ? leader : nextMember(stripe, encrypted);
        if (next.isEmpty() || !addresses.containsKey(next.getAsInt())) {
            // no member can lead, or the leader's address is not known yet, or the leader has left
            return new ReplyException("CLUSTERDOWN The stripe has no leader now");
        }
        return address(next.getAsInt(), encrypted)
                .map(address -> new ReplyException("MOVED " + slot + " " + host(address) + ":" + address.getPort()))
                .orElseGet(() -> new ReplyException("CLUSTERDOWN Node " + next.getAsInt()
                        + " leads the stripe, but has no port for clients "
                        + (encrypted ? "that use TLS" : "without TLS")));
    }

    /** Returns the host of an address in the form for clients: its name, while this node cannot resolve it. */
    static String host(InetSocketAddress address) {
        return address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    /**
     * Returns another node with a member of a stripe that may soon have a leader. Few clients retry after {@code CLUSTERDOWN};
     * each follows {@code MOVED}.
     */
    private OptionalInt nextMember(int stripe, boolean encrypted) {
        if (!canBeLed(stripe)) {
            return OptionalInt.empty();
        }
        return mirrors(stripe).stream()
                .filter(node -> node != self && isThere(node))
                .filter(node -> address(node, encrypted).isPresent())
                .min(Comparator.comparing((Integer node) -> node < self).thenComparing(Comparator.naturalOrder()))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /** Returns whether enough members of a stripe are there to elect a leader. */
    private boolean canBeLed(int stripe) {
        List<Integer> nodes = nodes(stripe);
        return nodes.stream().filter(this::isThere).count() * 2 > nodes.size();
    }

    /** Returns whether no leader of a stripe is known, but the stripe may soon have one. */
    boolean isElecting(int stripe) {
        return !isLed(stripe) && canBeLed(stripe);
    }

    private boolean isLed(int stripe) {
        return leader(stripe).isPresent();
    }

    /** Runs a task once a leader of a stripe is known, or no member can lead it, or after a second. */
    void onceLed(int stripe, Runnable task) {
        Election waiting = new Election(stripe, task, System.nanoTime() + ELECTION_NANOS, new AtomicBoolean());
        elections.add(waiting);
        if (!isElecting(stripe)) { // it has ended meanwhile
            waiting.end();
        }
    }

    /** Ends the waits that are over. It looks at each stripe once, however many clients wait for its leader. */
    private void endElections() {
        Map<Integer, Boolean> electing = new HashMap<>();
        long now = System.nanoTime();
        for (Iterator<Election> all = elections.iterator(); all.hasNext(); ) {
            Election waiting = all.next();
            boolean isOver = waiting.ended.get()
                    || waiting.untilNanos - now <= 0
                    || !electing.computeIfAbsent(waiting.stripe, this::isElecting);
            if (isOver) {
                all.remove();
                waiting.end();
            }
        }
    }

    /** Records that the process of a node has ended. */
    public void gone(int node) {
        leaders.gone(node);
    }

    /**
     * Makes this node's members stand for election if their leader was on a node that refuses connections. Waits for the disk.
     *
     * @param times how many connections that node has refused
     */
    public void succeed(int gone, int times) {
        for (Stripe stripe : here()) {
            try {
                stripe.succeed(gone, times, node -> leaders.end(node, stripe.id()));
            } catch (StorageException e) { // this member is stopping; those of other stripes continue
                LOGGER.log(System.Logger.Level.DEBUG, "a member stops: " + e.getMessage(), e);
            }
        }
    }

    /** Takes another node's report of what it leads. */
    public void heard(int node, ByteBuffer frame) {
        leaders.heard(node, Leadership.decode(frame));
    }

    /** Returns this node's report to the others. */
    public ByteBuffer leadership() {
        List<Stripe> own = here();
        return new Leadership(
                        own.stream().flatMap(stripe -> stripe.claim().stream()).toList(), membersHere(own))
                .encode();
    }

    private Map<UUID, Here> membersHere(List<Stripe> own) {
        Map<UUID, Here> all = new HashMap<>();
        pulled.forEach((stripe, index) -> all.put(id(stripe), new Here(index, -1, false, false, LogEnd.NONE)));
        own.forEach(stripe -> all.put(
                stripe.id(),
                new Here(
                        stripe.state().durable().index(),
                        stripe.state().appliedIndex().get(),
                        stripe.raft().isAlive(stripe.id()),
                        stripe.isWitness(),
                        stripe.logEnd())));
        return all;
    }

    /** Returns the other nodes whose member of a stripe runs. The leader's node is last: it has most to do. */
    public List<Integer> sources(int stripe) {
        OptionalInt leader = leaders.leader(id(stripe));
        return leaders.running(id(stripe)).stream()
                .filter(node -> node != self)
                .sorted(Comparator.comparing(node -> leader.isPresent() && leader.getAsInt() == node))
                .toList();
    }

    /**
     * Records that this node pulls the files of a stripe.
     *
     * @param index the entry up to which the files lead: all after it are needed then; -1 if it is not known yet
     */
    public void pulls(int stripe, long index) {
        pulled.put(stripe, index);
    }

    /** Records that this node no longer pulls the files of a stripe. */
    public void pullsNoMore(int stripe) {
        pulled.remove(stripe);
    }

    /** Returns whether a frame is a node's report of what it leads. */
    public static boolean isLeadership(ByteBuffer frame) {
        return frame.hasRemaining() && frame.get(frame.position()) == Leadership.KIND;
    }

    /** Does the work that is due. One thread calls it several times a second. */
    public void tick() {
        here().forEach(stripe -> {
            stripe.redirect();
            stripe.noteApplied();
            stripe.noteLeader();
            stripe.yieldAsWitness(node -> hasStore(node, stripe.id()));
        });
        endElections();
    }

    private boolean hasStore(int node, UUID stripe) {
        return leaders.isThere(node) && !leaders.isWitness(node, stripe);
    }

    /** Makes other nodes lead what this one leads; waits some seconds at most. */
    public void handOver() {
        beginHandOver()
                .completeOnTimeout(null, HAND_OVER_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Makes other nodes lead what this one leads; does not wait. */
    CompletableFuture<Void> beginHandOver() {
        return CompletableFuture.allOf(here().stream()
                .map(stripe -> stripe.handOver(node -> hasStore(node, stripe.id())))
                .toArray(CompletableFuture<?>[]::new));
    }
}
