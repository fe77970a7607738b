package dev.larder.array.barrier;

/**
 * What a round asks.
 *
 * @param round its number, which an answer names
 * @param voters whom
 */
record Inquiry(long round, Voters voters) {}
