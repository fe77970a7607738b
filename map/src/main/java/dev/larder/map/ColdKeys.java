package dev.larder.map;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The memory that a process uses for the keys of cold entries, which are not in memory.
 *
 * <p>A put over an existing entry compares the keys, and the existing key is in a record that may be on the disk. After
 * many puts had to wait for the disk, the map keeps the keys and lengths of such records in the process's memory. Each
 * takes 16 bytes and its key, and so do dead records that were not cleaned yet. Then {@link LarderMap#set},
 * {@link LarderMap#containsKey} and a load do not need the disk. A method that returns the previous value, like
 * {@link LarderMap#put}, has to read it. The keys of a segment are not kept if they exceed 1/16 of it.
 *
 * @param maxBytes the most memory; 0 for none; empty: an eighth of the memory of the machine, or the container
 */
public record ColdKeys(OptionalLong maxBytes) {

    private static final ColdKeys DEFAULTS = new ColdKeys(OptionalLong.empty());
    private static final long SHARE = 8;

    /** Creates a limit; it must be in its range. */
    public ColdKeys {
        Objects.requireNonNull(maxBytes, "maxBytes");
        if (maxBytes.isPresent() && maxBytes.getAsLong() < 0) {
            throw new IllegalArgumentException(
                    "memory for cold keys of " + maxBytes.getAsLong() + " bytes; the least is 0");
        }
    }

    /** Returns the defaults: an eighth of the memory. */
    public static ColdKeys defaults() {
        return DEFAULTS;
    }

    /** Returns the limit that keeps no keys. */
    public static ColdKeys none() {
        return within(0);
    }

    /** Returns a limit of {@code most} bytes. */
    public static ColdKeys within(long most) {
        return new ColdKeys(OptionalLong.of(most));
    }

    long maxBytes(long memoryBytes) {
        return maxBytes.orElse(memoryBytes / SHARE);
    }
}
