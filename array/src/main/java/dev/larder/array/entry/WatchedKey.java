package dev.larder.array.entry;

/**
 * A key that a transaction's client has watched.
 *
 * @param key the key
 * @param state its state when the client began to watch it, as a number
 */
@SuppressWarnings("ArrayRecordComponent") // its bytes are copied into the entry once, and never compared
public record WatchedKey(byte[] key, long state) {}
