package dev.larder.array;

import java.net.InetSocketAddress;

/**
 * Where a node of an array listens.
 *
 * @param clients for clients
 * @param raft for Raft
 * @param links for the links of other nodes
 */
public record NodeAddresses(InetSocketAddress clients, InetSocketAddress raft, InetSocketAddress links) {}
