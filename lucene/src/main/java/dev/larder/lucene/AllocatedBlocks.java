package dev.larder.lucene;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/**
 * Blocks allocated from an arena, for systems where addresses cannot be reserved. A growing file is copied into twice the room.
 *
 * <p>The sizes are classes, four to a doubling: 4, 8, 12, 16, 20, 24, 28, 32, 40 ... KiB. A block that is given back waits some
 * seconds at least, then serves the next file of its class. The system gets the memory back when the directory goes: the arena
 * is closed once.
 */
final class AllocatedBlocks implements BlockSource {

    private static final long LEAST_BYTES = 4096;
    private static final long STEPS = 4;

    private final MemoryBudget budget;
    private final Counters counters;
    private final Arena arena;
    private final Map<Long, Deque<MemorySegment>> free = new HashMap<>(); // guarded by this
    private final Quarantine<MemorySegment> quarantine; // guarded by this
    private int live; // guarded by this
    private boolean retired; // guarded by this

    /**
     * Blocks of one arena.
     *
     * @param nanoTime returns the time, as {@link System#nanoTime}
     * @param arena is closed with the last block
     */
    AllocatedBlocks(MemoryBudget budget, Counters counters, LongSupplier nanoTime, Arena arena) {
        this.budget = budget;
        this.counters = counters;
        this.arena = arena;
        this.quarantine = new Quarantine<>(
                memory -> free.computeIfAbsent(memory.byteSize(), bytes -> new ArrayDeque<>())
                        .add(memory),
                nanoTime);
    }

    /** Returns the smallest class that suffices. */
    static long sizeClass(long bytes) {
        if (bytes == 0) {
            return 0;
        }
        long step = Math.max(LEAST_BYTES, Long.highestOneBit(Math.max(1, bytes - 1)) / STEPS);
        return Math.addExact(bytes, step - 1) / step * step;
    }

    @Override
    public @Nullable Block tryTakeGrowing(long leastBytes, long expectedBytes) throws NoMemoryException {
        return tryTakeClass(growingChargeBytes(leastBytes));
    }

    @Override
    public @Nullable Block tryTake(long lengthBytes) throws NoMemoryException {
        return tryTakeClass(sizeClass(lengthBytes));
    }

    @Override
    public long chargeBytes(long lengthBytes) {
        return sizeClass(lengthBytes);
    }

    @Override
    public long growingChargeBytes(long leastBytes) {
        return sizeClass(Math.max(leastBytes, Long.highestOneBit(leastBytes) * 2));
    }

    private @Nullable Block tryTakeClass(long bytes) throws NoMemoryException {
        if (!budget.tryTake(bytes)) {
            return null;
        }
        AllocatedBlock block = null;
        try {
            block = new AllocatedBlock(allocate(bytes));
            return block;
        } catch (OutOfMemoryError e) {
            throw new NoMemoryException(
                    "cannot allocate " + bytes + " bytes outside the heap; " + quarantine.count()
                            + " blocks of deleted files stay allocated for " + Quarantine.TIME.toSeconds() + " s",
                    e);
        } finally {
            if (block == null) {
                budget.give(bytes);
            }
        }
    }

    /**
     * Allocates outside the lock. The system may fill new memory with zeros, and other threads give and take blocks meanwhile.
     */
    private MemorySegment allocate(long bytes) {
        MemorySegment waiting = enter(bytes);
        if (waiting != null) {
            return waiting;
        }
        boolean isAllocated = false;
        try {
            MemorySegment memory = bytes == 0 ? MemorySegment.NULL : arena.allocate(bytes, LEAST_BYTES);
            isAllocated = true;
            return memory;
        } finally {
            if (!isAllocated) {
                leave();
            }
        }
    }

    /** Keeps the arena open for one more block. Returns a waiting block, or null if one has to be allocated. */
    private synchronized @Nullable MemorySegment enter(long bytes) {
        if (retired && live == 0) {
            throw new AlreadyClosedException("no memory for " + bytes + " bytes: the directory is closed");
        }
        live++;
        quarantine.giveBack();
        Deque<MemorySegment> waiting = free.get(bytes);
        return waiting == null ? null : waiting.pollLast();
    }

    private synchronized void leave() {
        live--;
        closeIfDone();
    }

    private synchronized void give(MemorySegment memory) {
        quarantine.keep(memory);
        leave();
    }

    private void closeIfDone() {
        if (retired && live == 0) {
            arena.close();
        }
    }

    /** Copies into a block of the right class, if that class is smaller and there is room for both blocks during the copy. */
    @Override
    public Block fit(Block block, long lengthBytes) {
        Block smaller = sizeClass(lengthBytes) < block.memory().byteSize() ? takeIfPossible(lengthBytes) : null;
        if (smaller == null) {
            return block;
        }
        MemorySegment.copy(block.memory(), 0, smaller.memory(), 0, lengthBytes);
        return smaller;
    }

    private @Nullable Block takeIfPossible(long lengthBytes) {
        try {
            return tryTake(lengthBytes);
        } catch (NoMemoryException e) {
            return null;
        }
    }

    @Override
    public long hugeBytes() {
        return 0;
    }

    @Override
    public synchronized void retire() {
        if (!retired) {
            retired = true;
            closeIfDone();
        }
    }

    /** Memory of one size class. */
    private final class AllocatedBlock extends Block {

        private final MemorySegment memory;

        AllocatedBlock(MemorySegment memory) {
            super(budget, counters, memory.byteSize());
            this.memory = memory;
        }

        @Override
        MemorySegment memory() {
            return memory;
        }

        @Override
        long memoryFor(long lengthBytes) {
            return memory.byteSize();
        }

        @Override
        void cutRoom(long lengthBytes) {
            assert lengthBytes <= memory.byteSize() : lengthBytes;
        }

        @Override
        Optional<String> lockPages() {
            return Optional.of("it needs native access, on Linux");
        }

        @Override
        long lockedBytes() {
            return 0;
        }

        @Override
        void giveMemory() {
            give(memory);
        }
    }
}
