package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.LINE_BYTES;
import static dev.larder.map.format.IndexFileLayout.STRIPES;
import static dev.larder.map.format.IndexFileLayout.STRIPES_AT;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * The counters of a process. Each of its threads adds to a line of its own as a rule. The total is the sum over all
 * processes, including those that have left. {@link IndexFileLayout} defines the fields of a stripe.
 */
public final class Stripes {

    private final MemorySegment memory;
    private final long own;

    public Stripes(IndexFile file, Processes processes) {
        this.memory = file.memory();
        this.own = IndexFileLayout.area(processes.slot()) + STRIPES_AT;
    }

    void add(long field, long change) {
        long stripe = own + (Thread.currentThread().threadId() & (STRIPES - 1)) * LINE_BYTES;
        Words.getAndAdd(memory, stripe + field, change);
    }

    public long sum(long field) {
        return sum(memory, field);
    }

    /** Returns the sum over all processes that were ever entered in a file. */
    public static long sum(MemorySegment memory, long field) {
        long sum = 0;
        int slots = (int) Words.getVolatile(memory, IndexFileLayout.PROCESS_SLOTS);
        for (int slot = 0; slot < slots; slot++) {
            sum += Processes.isBacked(memory, slot) ? sumOf(memory, slot, field) : 0;
        }
        return sum;
    }

    private static long sumOf(MemorySegment memory, int slot, long field) {
        long stripes = IndexFileLayout.area(slot) + STRIPES_AT;
        long sum = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            sum += Words.getOpaque(memory, stripes + (long) stripe * LINE_BYTES + field);
        }
        return sum;
    }
}
