package dev.larder.array.entry;

import java.nio.ByteBuffer;

/**
 * The two parts of an entry.
 *
 * @param log what the Raft log holds
 * @param values its large values, one behind the other
 */
public record SplitParts(ByteBuffer log, ByteBuffer values) {}
