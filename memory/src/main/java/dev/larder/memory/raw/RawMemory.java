package dev.larder.memory.raw;

import dev.larder.memory.SystemStorage;
import dev.larder.memory.linux.LinuxCalls;
import java.lang.foreign.MemorySegment;

/**
 * All memory of the process as one segment, in which an offset is an address. The compiler knows that it never closes, and
 * how long it is: what is left of an access is the load.
 *
 * <p>A load from an address where nothing is mapped ends the JVM. So only addresses of a {@link dev.larder.memory.KeptArena}
 * are loaded from, each bounded before against the mapping that it lies in.
 */
public final class RawMemory {

    /** Whether there is such a segment: native calls are on. */
    public static final boolean IS_OPEN = SystemStorage.whyPortable().isEmpty();

    /** All memory; without native calls nothing. */
    public static final MemorySegment ALL = IS_OPEN ? LinuxCalls.everything() : MemorySegment.NULL;

    /** The bits that the address of a word may have. */
    private static final long WORDS = (1L << 48) - Long.BYTES;

    private RawMemory() {}

    /**
     * Returns the address of a word of 8 bytes, as it is. From here on the compiler knows that it lies within {@link #ALL}, and is
     * a multiple of 8: it leaves out the checks of the access.
     */
    public static long word(long address) {
        assert (address & ~WORDS) == 0 : address;
        return address & WORDS;
    }
}
