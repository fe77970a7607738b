package dev.larder.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A shared arena for one mapping, whose addresses stay mapped after it is closed: they then show zeros, or a later mapping of
 * this process. It serves code that loads by address without checking whether the arena is open, and finds out afterwards.
 *
 * <pre>
 * open      | the file's bytes           |
 * closed    | zeros, of no file          |      a load succeeds, with a meaningless result
 * later     | another file's bytes       |      mapped in a KeptArena again
 * </pre>
 *
 * <p>So such a load never ends the JVM. Segments of the arena behave as in any arena: an access after the closing is an
 * {@link IllegalStateException}. Keeping addresses needs native calls; without them, {@link #keeps} returns false after the
 * mapping.
 */
public final class KeptArena implements Arena {

    private final Arena arena = Arena.ofShared();
    private volatile boolean keeps;

    /** Creates an arena for one mapping. */
    public KeptArena() {
        // open
    }

    /** Records that the addresses of this arena's mapping stay mapped. Called by the storage that has mapped it. */
    public void keep() {
        keeps = true;
    }

    /** Returns whether the addresses of this arena's mapping stay mapped for ever. */
    public boolean keeps() {
        return keeps;
    }

    /** Returns the address of a mapping in an arena that keeps its addresses; else 0. */
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
