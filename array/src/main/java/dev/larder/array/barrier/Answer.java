package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.UUID;

/**
 * A member's answer about its term.
 *
 * @param stripe the stripe's Raft group
 * @param round the round that asked
 * @param member the member that answers
 * @param term the member's term, read after the question had come
 */
public record Answer(UUID stripe, long round, MemberName member, long term) {}
