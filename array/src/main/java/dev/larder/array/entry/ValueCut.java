package dev.larder.array.entry;

/**
 * A value that is taken out of an entry, and the key under which its command stores it. Both positions are in the whole entry.
 *
 * @param keyOffset where the key begins
 * @param keyLength how many bytes the key has
 * @param offset where the value begins, after the key
 * @param length how many bytes the value has
 */
public record ValueCut(int keyOffset, int keyLength, int offset, int length) {}
