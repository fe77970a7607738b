package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.net.InetSocketAddress;

/**
 * A member of a stripe, as Raft has to know it.
 *
 * @param address where its node's Raft listens
 * @param priority the greater, the sooner it leads: a leader gives way to a follower of a greater one that has caught up
 */
public record StripePeer(MemberName name, InetSocketAddress address, int priority) {}
