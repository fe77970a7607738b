package dev.larder.array.barrier;

import java.util.UUID;

/**
 * A question to a node: in which term is its member of a stripe?
 *
 * @param stripe the stripe's Raft group
 * @param round the number of the round
 */
public record Question(UUID stripe, long round) {}
