package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.net.InetSocketAddress;
import org.apache.ratis.protocol.RaftPeer;

/**
 * A member of a stripe, in the form that Raft needs.
 *
 * @param address the address on which its node's Raft listens
 * @param isWitness whether it keeps the log, and no store
 */
public record StripePeer(MemberName name, InetSocketAddress address, boolean isWitness) {

    /**
     * Raft's priorities express a member's role. A member of a lower priority is elected only if its log is longer. It then makes
     * a member of a higher priority lead as soon as that member has all entries.
     */
    static final int MIRROR_PRIORITY = 1;

    static final int WITNESS_PRIORITY = 0;

    RaftPeer toPeer() {
        return RaftPeer.newBuilder()
                .setId(RaftNode.id(name))
                .setAddress(address)
                .setPriority(priority(isWitness))
                .build();
    }

    static int priority(boolean isWitness) {
        return isWitness ? WITNESS_PRIORITY : MIRROR_PRIORITY;
    }
}
