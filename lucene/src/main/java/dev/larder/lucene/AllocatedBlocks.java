package dev.larder.lucene;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that an arena gives, where addresses cannot be reserved: a file that grows is copied into twice the room.
 *
 * <p>The sizes are classes, four to a doubling: 4, 8, 12, 16, 20, 24, 28, 32, 40 ... KiB. A block that is given back waits
 * for the next file of its class, some seconds at least; the memory goes back to the system with the directory, by one closing of the arena.
 */
final class AllocatedBlocks implements BlockSource {

    private static final long LEAST_BYTES = 4096;
    private static final long STEPS = 4;

    private final MemoryBudget budget;
    private final Counters counters;
    private final Arena arena = Arena.ofShared();
    private final Map<Long, Deque<MemorySegment>> free = new HashMap<>(); // guarded by this
    private final Quarantine<MemorySegment> quarantine; // guarded by this
    private int live; // guarded by this
    private boolean retired; // guarded by this

    AllocatedBlocks(MemoryBudget budget, Counters counters, LongSupplier nanoTime) {
        this.budget = budget;
        this.counters = counters;
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
    public @Nullable Block tryTakeGrowing(long leastBytes, long expectedBytes) throws IOException {
        return tryTakeClass(sizeClass(Math.max(leastBytes, Long.highestOneBit(leastBytes) * 2)));
    }

    @Override
    public @Nullable Block tryTake(long lengthBytes) throws IOException {
        return tryTakeClass(sizeClass(lengthBytes));
    }

    private @Nullable Block tryTakeClass(long bytes) throws IOException {
        if (!budget.tryTake(bytes)) {
            return null;
        }
        try {
            return new AllocatedBlock(allocate(bytes));
        } catch (OutOfMemoryError e) {
            budget.give(bytes);
            throw new IOException(
                    "cannot allocate " + bytes + " bytes outside the heap (-XX:MaxDirectMemorySize limits them); "
                            + quarantine.count() + " blocks of deleted files wait for " + Quarantine.TIME.toSeconds()
                            + " s",
                    e);
        }
    }

    private synchronized MemorySegment allocate(long bytes) {
        quarantine.giveBack();
        Deque<MemorySegment> waiting = free.get(bytes);
        MemorySegment memory =
                waiting == null || waiting.isEmpty() ? arena.allocate(bytes, LEAST_BYTES) : waiting.removeLast();
        live++;
        return memory;
    }

    private synchronized void give(MemorySegment memory) {
        quarantine.keep(memory);
        live--;
        closeIfDone();
    }

    private void closeIfDone() {
        if (retired && live == 0) {
            arena.close();
        }
    }

    /** Copies into a block of the right class, where that is a smaller one and the budget has both for the moment. */
    @Override
    public Block fit(Block block, long lengthBytes) throws IOException {
        Block smaller = sizeClass(lengthBytes) < block.memory().byteSize() ? tryTake(lengthBytes) : null;
        if (smaller == null) {
            return block;
        }
        MemorySegment.copy(block.memory(), 0, smaller.memory(), 0, lengthBytes);
        return smaller;
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
