package dev.larder.array.entry;

/**
 * A value that is taken out of an entry, and the key under which its command puts it. Both lie in the whole entry.
 *
 * @param keyOffset where the key begins
 * @param keyLength how many bytes it has
 * @param offset where the value begins, behind the key
 * @param length how many bytes it has
 */
public record ValueCut(int keyOffset, int keyLength, int offset, int length) {}
