package dev.larder.array.node;

import dev.larder.array.MemberName;
import dev.larder.array.ratis.RaftLogs.Needs;
import dev.larder.array.slots.Membership;
import dev.larder.memory.StorageException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Drops the entries that no member needs any longer:
 *
 * <pre>
 * kept by 0 and 1                                         2 is away since
 * |------ dropped ------|-- at most logBytes, entriesMost --|
 *                                        2 |
 * </pre>
 *
 * A member needs the entries after the one up to which its store is durable. The nodes exchange these. A node that is away needs
 * what it needed when it was last heard from, or all entries. More entries stay for a member that takes entries, or pulls files: it
 * would pull for ever if they went before it has caught up.
 *
 * <p>Used by one thread.
 */
public final class Retention {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A node that starts has heard of no member yet that catches up. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Stripes stripes;
    private long dueNanos = System.nanoTime() + FIRST_NANOS;

    /** Creates the retention of a node's logs. */
    public Retention(Stripes stripes) {
        this.stripes = stripes;
    }

    /** Drops entries that are no longer needed, once a second, however often it is called. */
    public void run() {
        long now = System.nanoTime();
        if (now - dueNanos < 0) {
            return;
        }
        dueNanos = now + PERIOD_NANOS;
        stripes.here().forEach(this::drop);
    }

    private void drop(Stripe stripe) {
        try {
            if (stripe.raft().isAlive(stripe.id())) {
                long own = stripe.state().durable().index();
                long all = Math.min(own, stripes.leaders().lowestKept(stripe.id(), others(stripe)));
                long takers = lacksMirror(stripe)
                        ? all
                        : Math.min(own, stripes.leaders().lowestOfTakers(stripe.id()));
                stripe.raft()
                        .logs()
                        .drop(
                                stripe.id(),
                                new Needs(own + 1, takers + 1, all + 1),
                                stripe.state().values());
            }
        } catch (StorageException e) { // its member has just stopped, or the drop is retried
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "cannot drop entries from the log of stripe " + stripe.number() + ": " + e,
                    e);
        }
    }

    /**
     * Returns whether a mirror is away in a stripe with a witness. One store alone has the entries then, and the returning mirror
     * can get them from the witness only as entries. So they stay for it as if it took entries.
     */
    private boolean lacksMirror(Stripe stripe) {
        Membership members = stripe.raft().configurations().members(stripe.id());
        return !members.witnesses().isEmpty() && !members.mirrors().stream().allMatch(stripes::isThere);
    }

    private static Set<Integer> others(Stripe stripe) {
        Membership members = stripe.raft().configurations().members(stripe.id());
        Set<Integer> nodes = new HashSet<>();
        Stream.of(members.voters(), members.previous(), members.listeners())
                .flatMap(Set::stream)
                .map(MemberName::node)
                .forEach(nodes::add);
        nodes.remove(stripe.name().node());
        return nodes;
    }
}
