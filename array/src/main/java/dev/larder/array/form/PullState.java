package dev.larder.array.form;

/**
 * A pull of a stripe's files.
 *
 * @param node the node that pulls
 * @param source the node from which it pulls; -1 while no node serves it
 * @param pulledBytes how many bytes are here
 * @param bytes how many bytes there are in all; 0 while that is not known
 */
public record PullState(int stripe, int node, int source, long pulledBytes, long bytes) {}
