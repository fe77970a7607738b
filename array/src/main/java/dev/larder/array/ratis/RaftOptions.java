package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Options of Raft on a node. Immutable.
 *
 * @param member what this node's members are called
 * @param address where Raft listens
 * @param directory the folder of the Raft logs; it may lie on a disk of its own
 * @param stripesMost how many stripes the node may have members of, 1 to 1024: they share a part of the heap
 * @param electionLeast how long a follower waits at least for its leader, 100 ms to a minute
 * @param electionMost how long at most, more than the least
 */
public record RaftOptions(
        MemberName member,
        InetSocketAddress address,
        Path directory,
        int stripesMost,
        Duration electionLeast,
        Duration electionMost) {

    private static final int STRIPES_MOST = 1024;
    private static final Duration ELECTION_LEAST = Duration.ofMillis(100);
    private static final Duration ELECTION_MOST = Duration.ofMinutes(1);

    /** Options; each must be in its range. */
    public RaftOptions {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("Raft listens on loopback alone, so far, and not on " + address);
        }
        if (stripesMost < 1 || stripesMost > STRIPES_MOST) {
            throw new IllegalArgumentException("stripes: " + stripesMost + " is not within 1 and " + STRIPES_MOST);
        }
        boolean isInRange = electionLeast.compareTo(ELECTION_LEAST) >= 0 && electionMost.compareTo(ELECTION_MOST) <= 0;
        if (!isInRange || electionLeast.compareTo(electionMost) >= 0) {
            throw new IllegalArgumentException("election time-out: " + electionLeast + " to " + electionMost
                    + " is not a range within " + ELECTION_LEAST + " and " + ELECTION_MOST);
        }
    }

    /** Returns the defaults: four stripes, elections after 1.5 to 2.5 s. */
    public static RaftOptions of(MemberName member, InetSocketAddress address, Path directory) {
        return new RaftOptions(member, address, directory, 4, Duration.ofMillis(1500), Duration.ofMillis(2500));
    }

    /** Returns a copy with another time-out of elections. */
    public RaftOptions withElection(Duration least, Duration most) {
        return new RaftOptions(member, address, directory, stripesMost, least, most);
    }

    /** Returns a copy with another {@link #stripesMost}. */
    public RaftOptions withStripesMost(int stripes) {
        return new RaftOptions(member, address, directory, stripes, electionLeast, electionMost);
    }
}
