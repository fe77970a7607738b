package dev.larder.array.ratis;

import dev.larder.array.CatchUp;
import dev.larder.array.MemberName;
import dev.larder.array.NodeEncryption;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of Raft on a node. Immutable.
 *
 * @param member the name of this node's members
 * @param address the address on which Raft listens
 * @param directory the folder of the Raft logs; it may lie on a disk of its own
 * @param stripesMost the most stripes of which the node may have members, 1 to 1024: they share a part of the heap
 * @param electionLeast the least time that a follower waits for its leader, 100 ms or more
 * @param electionMost the longest time that it waits, more than the least, at most a minute
 * @param logBytes how many bytes of entries a member keeps at most
 * @param valuesOnce whether large values of entries lie elsewhere: the log is then in smaller segments
 * @param encryption TLS; empty only where the address is loopback
 */
public record RaftOptions(
        MemberName member,
        InetSocketAddress address,
        Path directory,
        int stripesMost,
        Duration electionLeast,
        Duration electionMost,
        long logBytes,
        boolean valuesOnce,
        Optional<NodeEncryption> encryption) {

    /** The part of the heap for the places of entries that are kept for other members. */
    private static final int PLACES_HEAP_PART = 32;

    /** The heap bytes that Ratis 3.3.0 needs for each entry of a log, even if the entry is only on the disk. */
    private static final int PLACE_BYTES = 160;

    private static final int STRIPES_MOST = 1024;
    private static final Duration ELECTION_LEAST = Duration.ofMillis(100);
    private static final Duration ELECTION_MOST = Duration.ofMinutes(1);

    /** Creates options; each must be in its range. */
    public RaftOptions {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("Raft cannot listen on " + address + ": cannot resolve the host");
        }
        if (encryption.isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "Raft on " + address + " needs TLS: only the loopback address needs none");
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

    /** Returns the defaults: four stripes, elections after 1.5 to 2.5 s, 4 GiB of entries. */
    public static RaftOptions of(
            MemberName member, InetSocketAddress address, Path directory, Optional<NodeEncryption> encryption) {
        return new RaftOptions(
                member,
                address,
                directory,
                4,
                Duration.ofMillis(1500),
                Duration.ofMillis(2500),
                CatchUp.defaults().logBytes(),
                false,
                encryption);
    }

    /** Returns how many entries each log may keep for other members: small entries fill the heap long before the disk. */
    public long entriesMost() {
        return Runtime.getRuntime().maxMemory() / PLACES_HEAP_PART / PLACE_BYTES / stripesMost;
    }

    /** Returns a copy with another election timeout. */
    public RaftOptions withElection(Duration least, Duration most) {
        return new RaftOptions(member, address, directory, stripesMost, least, most, logBytes, valuesOnce, encryption);
    }

    /** Returns a copy with other {@link #logBytes}. */
    public RaftOptions withLogBytes(long most) {
        return new RaftOptions(
                member, address, directory, stripesMost, electionLeast, electionMost, most, valuesOnce, encryption);
    }

    /** Returns a copy with another {@link #valuesOnce}. */
    public RaftOptions withValuesOnce(boolean once) {
        return new RaftOptions(
                member, address, directory, stripesMost, electionLeast, electionMost, logBytes, once, encryption);
    }

    /** Returns a copy with another {@link #stripesMost}. */
    public RaftOptions withStripesMost(int stripes) {
        return new RaftOptions(
                member, address, directory, stripes, electionLeast, electionMost, logBytes, valuesOnce, encryption);
    }
}
