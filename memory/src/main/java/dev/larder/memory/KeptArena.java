package dev.larder.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A shared arena for one mapping, whose addresses stay mapped when it is closed: there are zeros then, or a later mapping of
 * this process. For who loads by address, without asking whether the arena is open, and finds out afterwards.
 *
 * <pre>
 * open      | the file's bytes           |
 * closed    | zeros, of no file          |      a load is served, and means nothing
 * later     | another file's bytes       |      mapped in a KeptArena again
 * </pre>
 *
 * <p>So such a load never ends the JVM. Segments of the arena are as those of any: an access after the closing is an {@link
 * IllegalStateException}. It takes native calls; where there are none, {@link #keeps} says so after the mapping.
 */
public final class KeptArena implements Arena {

    private final Arena arena = Arena.ofShared();
    private volatile boolean keeps;

    /** An arena for one mapping. */
    public KeptArena() {
        // open
    }

    /** Says that what was mapped here stays mapped; by the storage that has mapped it. */
    public void keep() {
        keeps = true;
    }

    /** Returns whether the addresses of what was mapped here stay mapped for ever. */
    public boolean keeps() {
        return keeps;
    }

    /** Returns the address of what was mapped in an arena, where it is kept; else 0. */
    public static long address(Arena arena, MemorySegment mapped) {
        return arena instanceof KeptArena kept && kept.keeps() ? mapped.address() : 0;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        arena.close();
    }
}
