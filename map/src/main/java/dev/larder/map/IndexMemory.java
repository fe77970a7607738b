package dev.larder.map;

import dev.larder.memory.Region;
import dev.larder.memory.RegionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The memory of the index: chunks of 16 MiB, cut into steps of 64 KiB, which have numbers from 0 on.
 *
 * <p>A step that was rebuilt is given out again when nobody can look at it to change it ({@link Epochs}). Who looks
 * without a pin may still do so: every word is stored whole, and whoever reads looks at the directory afterwards.
 */
final class IndexMemory implements AutoCloseable {

    private static final int CHUNK_SHIFT = 24;
    private static final int STEP_SHIFT = CHUNK_SHIFT - IndexStepLayout.SHIFT;

    /** A step that is out of the directory, and the last epoch in which somebody may have found it there. */
    private record Retired(int step, long epoch) {}

    private final Epochs epochs;
    private final RegionKind kind;
    private final Arena arena = Arena.ofShared();
    private final Deque<Retired> retired = new ArrayDeque<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private volatile MemorySegment[] chunks = new MemorySegment[0];
    private int used;

    IndexMemory(Epochs epochs) {
        this.epochs = epochs;
        this.kind = RegionKind.HUGE_PAGES.unavailable().isEmpty() ? RegionKind.HUGE_PAGES : RegionKind.DIRECT;
    }

    /** Returns the chunk that a step lies in, from {@link #base} on. */
    MemorySegment memory(int step) {
        return chunks[step >>> STEP_SHIFT];
    }

    static long base(int step) {
        return (long) (step & ((1 << STEP_SHIFT) - 1)) << IndexStepLayout.SHIFT;
    }

    /** Returns a step of zeros that nobody else knows of. */
    synchronized int allocate() {
        int step = reusable();
        if (step >= 0) {
            clear(step);
            return step;
        }
        if (used >>> STEP_SHIFT == chunks.length) {
            addChunk();
        }
        return used++;
    }

    private int reusable() {
        if (free.isEmpty()
                && !retired.isEmpty()
                && epochs.hasPassed(retired.peek().epoch())) {
            free.add(retired.remove().step());
        }
        return free.isEmpty() ? -1 : free.remove();
    }

    private void clear(int step) {
        MemorySegment memory = memory(step);
        long base = base(step);
        for (long at = base; at < base + IndexStepLayout.BYTES; at += 8) {
            Words.setOpaque(memory, at, 0);
        }
    }

    private void addChunk() {
        MemorySegment[] more = Arrays.copyOf(chunks, chunks.length + 1);
        more[chunks.length] = Region.create(kind, 1L << CHUNK_SHIFT, arena).segment();
        chunks = more;
    }

    /** Takes back a step that nobody else has ever known of. */
    synchronized void giveBack(int step) {
        free.add(step);
    }

    /** Takes back a step that is out of the directory since before the call. */
    synchronized void retire(int step) {
        retired.add(new Retired(step, epochs.advance()));
    }

    /** Returns the bytes that were asked for. */
    long bytes() {
        return (long) chunks.length << CHUNK_SHIFT;
    }

    /** Returns how many steps are in use, or wait to be given out again. */
    synchronized int steps() {
        return used - free.size();
    }

    @Override
    public void close() {
        arena.close();
    }
}
