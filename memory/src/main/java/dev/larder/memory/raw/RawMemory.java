package dev.larder.memory.raw;

import dev.larder.memory.SystemStorage;
import dev.larder.memory.linux.LinuxCalls;
import java.lang.foreign.MemorySegment;

/**
 * All memory of the process as one segment, in which an offset is an address. The compiler knows that it never closes, and its
 * length, so an access compiles to the load alone.
 *
 * <p>A load from an address where nothing is mapped ends the JVM. So only addresses of a {@link dev.larder.memory.KeptArena}
 * are loaded from, after a bounds check against their mapping.
 */
public final class RawMemory {

    /** Whether the segment exists, which means that native calls are on. */
    public static final boolean IS_OPEN = SystemStorage.whyPortable().isEmpty();

    /** All memory; empty without native calls. */
    public static final MemorySegment ALL = IS_OPEN ? LinuxCalls.everything() : MemorySegment.NULL;

    /** The bits that the address of a word may have. */
    private static final long WORDS = (1L << 48) - Long.BYTES;

    private RawMemory() {}

    /**
     * Returns the address of a word of 8 bytes, unchanged. The compiler then knows that it lies within {@link #ALL} and is a
     * multiple of 8, so it omits the checks of the access.
     */
    public static long word(long address) {
        assert (address & ~WORDS) == 0 : address;
        return address & WORDS;
    }
}
