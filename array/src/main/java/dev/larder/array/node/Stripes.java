package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.slots.StripeSlots;
import dev.larder.resp.ReplyException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The stripes of the array as this node sees them: its own members, and where the others are. Thread-safe. */
public final class Stripes {

    private static final long HAND_OVER_SECONDS = 5;

    private final int self;
    private final StripeSlots slots;
    private final List<StripeMembers> members;
    private final Map<Integer, InetSocketAddress> addresses;
    private final Leaders leaders = new Leaders(System::nanoTime);
    private final @Nullable Stripe[] here;
    private final Duration ageMost;

    /**
     * The stripes, none of whose members is here yet.
     *
     * @param self the number of this node
     * @param addresses where clients find the nodes, by number
     * @param ageMost how old an answer of a mirror may be
     */
    public Stripes(int self, List<StripeMembers> members, Map<Integer, InetSocketAddress> addresses, Duration ageMost) {
        this.self = self;
        this.slots = new StripeSlots(members.size());
        this.members = List.copyOf(members);
        this.addresses = new TreeMap<>(addresses);
        this.here = new @Nullable Stripe[members.size()];
        this.ageMost = ageMost;
    }

    /** Adds a member of this node, before clients are served. */
    public void add(Stripe stripe) {
        here[stripe.number()] = stripe;
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

    InetSocketAddress address(int node) {
        return Objects.requireNonNull(addresses.get(node));
    }

    /** Returns the nodes that have a member of a stripe, the one that is to lead first. */
    List<Integer> nodes(int stripe) {
        return members.get(stripe).members().stream().map(MemberName::node).toList();
    }

    /** Returns the members of this node. */
    public List<Stripe> here() {
        return Arrays.stream(here).filter(Objects::nonNull).toList();
    }

    /** Returns this node's member of a stripe; null if it has none. */
    @Nullable
    Stripe here(int stripe) {
        return here[stripe];
    }

    /** Returns the members of this node that lead, and serve. */
    List<Stripe> led() {
        return here().stream().filter(Stripe::isReady).toList();
    }

    /** Returns the node that leads a stripe, as far as is known. */
    OptionalInt leader(int stripe) {
        Stripe own = here[stripe];
        if (own != null && own.isReady()) {
            return OptionalInt.of(self);
        }
        OptionalInt told = leaders.leader(members.get(stripe).id());
        if (told.isPresent() || own == null) {
            return told;
        }
        OptionalInt known = own.leader();
        return known.isPresent() && known.getAsInt() != self ? known : OptionalInt.empty();
    }

    /** Returns whether a node has been heard of a short time ago. */
    boolean isThere(int node) {
        return node == self || leaders.isThere(node);
    }

    /** Returns the refusal of a command on a slot that this node does not lead. */
    ReplyException elsewhere(int slot) {
        OptionalInt leader = leader(slots.stripeOf(slot));
        if (leader.isEmpty() || leader.getAsInt() == self) {
            return new ReplyException("CLUSTERDOWN The stripe has no leader now");
        }
        InetSocketAddress address = address(leader.getAsInt());
        return new ReplyException(
                "MOVED " + slot + " " + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Takes what another node leads. */
    public void heard(int node, ByteBuffer frame) {
        leaders.heard(node, Leadership.decode(frame));
    }

    /** Returns what this node tells the others. */
    public ByteBuffer leadership() {
        return new Leadership(here().stream()
                        .flatMap(stripe -> stripe.claim().stream())
                        .toList())
                .encode();
    }

    /** Returns whether a frame says what a node leads. */
    public static boolean isLeadership(ByteBuffer frame) {
        return frame.hasRemaining() && frame.get(frame.position()) == Leadership.KIND;
    }

    /** Does what is due, by one thread. To be called several times a second. */
    public void tick() {
        here().forEach(stripe -> {
            stripe.sampleAge(ageMost);
            stripe.redirect();
            stripe.balance(leaders::isThere);
        });
    }

    /** Has other nodes lead what this one leads; it waits some seconds at most. */
    public void handOver() {
        CompletableFuture.allOf(here().stream()
                        .map(stripe -> stripe.handOver(leaders::isThere))
                        .toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, HAND_OVER_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
