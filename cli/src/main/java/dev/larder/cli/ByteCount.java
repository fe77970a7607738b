package dev.larder.cli;

/**
 * A size given on the command line, such as {@code 128MiB}.
 *
 * @param bytes that it names
 */
public record ByteCount(long bytes) {}
