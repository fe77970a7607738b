/**
 * Bytes outside the heap.
 *
 * <p>{@link dev.larder.memory.Storage} is all that a log needs of an operating system: files, mappings, flushes, byte
 * locks, waiting on a shared word, and the clock. There are two storages. One uses only {@code java.nio}. The other
 * makes native calls on Linux, and is used if the JVM permits them. {@link dev.larder.memory.FileHeader} and
 * {@link dev.larder.memory.Crc32c} are common to every file of Larder.
 *
 * <p>{@link dev.larder.memory.region.Region} is a private, shared or mapped range of bytes for a program that needs
 * nothing else. {@link dev.larder.memory.region.RegionKind} lists where its bytes may lie.
 */
package dev.larder.memory;
