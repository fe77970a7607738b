package dev.larder.array.form;

/**
 * A pull of a stripe's files.
 *
 * @param node which node pulls
 * @param source from which; -1 while none serves it
 * @param pulledBytes how much is here
 * @param bytes how much there is in all; 0 while that is not known
 */
public record PullState(int stripe, int node, int source, long pulledBytes, long bytes) {}
