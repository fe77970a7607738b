package dev.larder.array.barrier;

/**
 * The question of a round.
 *
 * @param round the round's number, which an answer repeats
 * @param voters the members that are asked
 */
record Inquiry(long round, Voters voters) {}
