package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.net.InetSocketAddress;

/**
 * A member of a stripe, as Raft has to know it.
 *
 * @param address where its node's Raft listens
 */
public record StripePeer(MemberName name, InetSocketAddress address) {}
