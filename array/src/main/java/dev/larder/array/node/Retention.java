package dev.larder.array.node;

import dev.larder.array.MemberName;
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
 * what it needed when it was last heard from, or all entries.
 *
 * <p>Used by one thread.
 */
public final class Retention {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    /** How many times as many entries stay for a member whose files are being pulled: it needs all that come meanwhile. */
    public static final int PULLED_TIMES = 8;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Stripes stripes;
    private long lastNanos = System.nanoTime() - PERIOD_NANOS;

    /** Creates the retention of a node's logs. */
    public Retention(Stripes stripes) {
        this.stripes = stripes;
    }

    /** Drops entries that are no longer needed, once a second, however often it is called. */
    public void run() {
        long now = System.nanoTime();
        if (now - lastNanos < PERIOD_NANOS) {
            return;
        }
        lastNanos = now;
        stripes.here().forEach(this::drop);
    }

    private void drop(Stripe stripe) {
        try {
            if (stripe.raft().isAlive(stripe.id())) {
                long own = stripe.state().durable().index();
                long lowest = Math.min(own, stripes.leaders().lowestKept(stripe.id(), others(stripe)));
                int times = isNeededMore(stripe) ? PULLED_TIMES : 1;
                stripe.raft()
                        .logs()
                        .drop(
                                stripe.id(),
                                lowest + 1,
                                own + 1,
                                times,
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
     * Returns whether entries stay longer: while files are pulled, and while a mirror is away in a stripe with a witness. In the
     * second case one store alone has them, and the returning mirror can get them from the witness only as entries.
     */
    private boolean isNeededMore(Stripe stripe) {
        Membership members = stripe.raft().configurations().members(stripe.id());
        boolean lacksMirror =
                !members.witnesses().isEmpty() && !members.mirrors().stream().allMatch(stripes::isThere);
        return lacksMirror || stripes.leaders().isPulled(stripe.id());
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
