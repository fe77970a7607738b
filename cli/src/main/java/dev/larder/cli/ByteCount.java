package dev.larder.cli;

/**
 * A size given on the command line, such as {@code 128MiB}.
 *
 * @param bytes the bytes that the size names
 */
public record ByteCount(long bytes) {}
