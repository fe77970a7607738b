package dev.larder.lucene;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A mapping of a file of the folder, for inputs that are opened while the file is not in memory. */
final class Mapping extends Held {

    private final Arena arena;
    private final MemorySegment memory;
    private final Pages pages;
    private final Runnable unmapped;

    /**
     * A mapping that ends when its arena is closed.
     *
     * @param unmapped runs after the unmapping
     */
    Mapping(Arena arena, MemorySegment memory, Pages pages, Runnable unmapped) {
        this.arena = arena;
        this.memory = memory;
        this.pages = pages;
        this.unmapped = unmapped;
    }

    MemorySegment memory() {
        return memory;
    }

    Pages pages() {
        return pages;
    }

    /** Waits for calls of the system that still use the pages, as a clone makes them beside the closing. */
    @Override
    void free() {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                Thread.onSpinWait(); // a call holds it
            }
        }
        unmapped.run();
    }
}
