package dev.larder.array.entry;

import java.nio.ByteBuffer;

/**
 * A large value of an entry, and its key: parts of the entry's bytes, not copied.
 *
 * @param key the key
 * @param value the value
 */
public record KeyedValue(ByteBuffer key, ByteBuffer value) {}
