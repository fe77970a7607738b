/**
 * Bytes outside the heap.
 *
 * <p>{@link dev.larder.memory.Storage} is everything that a log asks of an operating system: files, mappings, flushes,
 * byte locks, waiting on a shared word, and the clock. There are two: one of {@code java.nio} alone, and one of native
 * calls for Linux, taken where the JVM has granted native access. Beside them stand what every file of Larder shares:
 * {@link dev.larder.memory.FileHeader} and {@link dev.larder.memory.Crc32c}.
 *
 * <p>{@link dev.larder.memory.region.Region} is for whoever needs a private, shared or mapped run of bytes and nothing else;
 * {@link dev.larder.memory.region.RegionKind} lists where it may lie.
 */
package dev.larder.memory;
