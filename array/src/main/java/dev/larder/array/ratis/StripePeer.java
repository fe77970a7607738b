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
                .setAddress(text(address))
                .setPriority(priority(isWitness))
                .build();
    }

    /**
     * Returns an address as the members of a stripe store it. It has the host that was configured: Ratis would ask for a name of
     * an IP address, and the name may be known to this node alone. The JDK keeps such a name in the address itself.
     */
    static String text(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    static int priority(boolean isWitness) {
        return isWitness ? WITNESS_PRIORITY : MIRROR_PRIORITY;
    }
}
