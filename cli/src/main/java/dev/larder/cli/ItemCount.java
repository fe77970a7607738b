package dev.larder.cli;

/**
 * A number of things given on the command line, such as {@code 100k}.
 *
 * @param items how many
 */
public record ItemCount(long items) {}
