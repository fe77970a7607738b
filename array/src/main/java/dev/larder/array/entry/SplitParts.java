package dev.larder.array.entry;

import java.nio.ByteBuffer;

/**
 * The two parts of an entry.
 *
 * @param log the part in the Raft log
 * @param values its large values, concatenated
 */
public record SplitParts(ByteBuffer log, ByteBuffer values) {}
