package dev.larder.map;

import java.util.OptionalLong;

/**
 * How much memory a process gives to the keys of entries that are not in memory.
 *
 * <p>Who puts over an entry compares its key with the one that is there, which lies in a record that may be on the disk. Where
 * many puts had to wait for that, the map keeps what stands before the values of such records, in memory of the process: 16
 * bytes and the key for each, dead ones that were not cleaned yet included. So {@link LarderMap#set}, {@link
 * LarderMap#containsKey} and a load find what they need without the disk. What returns the value that was there before, as
 * {@link LarderMap#put} does, has to read it. Nothing is kept of records of which that would be more than a 16th, nor
 * before the first puts had to wait.
 *
 * @param maxBytes the most memory, 0 for none; an eighth of what the machine, or the container, has where it is empty
 */
public record ColdKeys(OptionalLong maxBytes) {

    private static final ColdKeys DEFAULTS = new ColdKeys(OptionalLong.empty());
    private static final long SHARE = 8;

    /** Keys within bounds; each value must be in its range. */
    public ColdKeys {
        if (maxBytes.isPresent() && maxBytes.getAsLong() < 0) {
            throw new IllegalArgumentException("keys within " + maxBytes.getAsLong() + " bytes; the least is 0");
        }
    }

    /** Returns the defaults: an eighth of the memory. */
    public static ColdKeys defaults() {
        return DEFAULTS;
    }

    /** Returns those that take no memory. */
    public static ColdKeys none() {
        return within(0);
    }

    /** Returns those that take at most so many bytes of memory. */
    public static ColdKeys within(long most) {
        return new ColdKeys(OptionalLong.of(most));
    }

    long maxBytes(long memoryBytes) {
        return maxBytes.orElse(memoryBytes / SHARE);
    }
}
