package dev.larder.cli;

/**
 * A number of items given on the command line, such as {@code 100k}.
 *
 * @param items the number
 */
public record ItemCount(long items) {}
