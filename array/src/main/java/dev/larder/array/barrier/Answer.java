package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.UUID;

/**
 * What a member says of itself.
 *
 * @param stripe the stripe's Raft group
 * @param round the round that has asked
 * @param member who says so
 * @param term the term that it was in, read after the question had come
 */
public record Answer(UUID stripe, long round, MemberName member, long term) {}
