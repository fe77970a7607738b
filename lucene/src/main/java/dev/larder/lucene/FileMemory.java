package dev.larder.lucene;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives the files of a directory their memory within the budget, and follows the directory's options when the budget is full.
 */
final class FileMemory {

    private static final long LEAST_CHARGE_BYTES = 16L << 10;
    private static final long MOST_CHARGE_BYTES = 2L << 20;
    private static final long NEVER = Long.MAX_VALUE;

    private final DirectoryOptions options;
    private final Counters counters;
    private final Supplier<List<IndexFile>> files;
    private final BlockSource blocks;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * The memory of a directory.
     *
     * @param files the files that may leave memory to make room
     */
    FileMemory(DirectoryOptions options, Counters counters, Supplier<List<IndexFile>> files) {
        this(options, counters, files, blocks(options.budget(), counters));
    }

    /** The memory of a directory, taken from a source of blocks. */
    FileMemory(DirectoryOptions options, Counters counters, Supplier<List<IndexFile>> files, BlockSource blocks) {
        this.options = options;
        this.counters = counters;
        this.files = files;
        this.blocks = blocks;
    }

    private static BlockSource blocks(MemoryBudget budget, Counters counters) {
        return ReservedMemory.ofThisProcess()
                .<BlockSource>map(reserved -> new ReservedBlocks(reserved, budget, counters))
                .orElseGet(() -> new AllocatedBlocks(budget, counters, System::nanoTime, Arena.ofShared()));
    }

    /** A way to take memory that the budget may not have. */
    @FunctionalInterface
    private interface Taking {
        @Nullable
        Block tryTake() throws NoMemoryException;
    }

    /**
     * Gives a file that is being written room for more bytes behind its length. The writer holds the block as well, so a
     * deletion cannot free it.
     *
     * @return its block: the same, or a larger block that replaces it. Null if the file has to be left on the disk
     */
    @Nullable
    Block grow(IndexFile file, @Nullable Block block, long length, long bytes, long expectedBytes) throws IOException {
        long needed = Math.addExact(length, bytes);
        if (block != null && needed <= block.roomBytes()) {
            long charged = step(block, needed);
            long more = charged - block.chargedBytes();
            return orLeave(file, needed, more, () -> block.tryCharge(charged) ? block : null);
        }
        long charge = blocks.growingChargeBytes(needed);
        Block larger = orLeave(file, needed, charge, () -> blocks.tryTakeGrowing(needed, expectedBytes));
        if (larger != null) {
            move(file, block, length, larger);
        }
        return larger;
    }

    private static long step(Block block, long needed) {
        long step = Math.clamp(block.chargedBytes(), LEAST_CHARGE_BYTES, MOST_CHARGE_BYTES);
        return Math.max(block.memoryFor(needed), Math.min(block.roomBytes(), block.chargedBytes() + step));
    }

    private static void move(IndexFile file, @Nullable Block block, long length, Block larger) {
        boolean held = larger.tryHold();
        assert held : "a new block is gone";
        if (block != null) {
            MemorySegment.copy(block.memory(), 0, larger.memory(), 0, length);
            block.release();
        }
        file.place(larger);
    }

    /** Gives a finished file the memory that it needs, and no more. */
    void finish(IndexFile file, @Nullable Block block, long length) throws IOException {
        Block needed = block == null ? blocks.tryTake(0) : blocks.fit(block, length);
        if (needed == null) {
            throw refusal(file, 0, null);
        }
        if (!needed.equals(block)) {
            file.place(needed);
        }
        lock(file, needed);
    }

    /**
     * Takes memory for a file that is to be loaded; null if it has to stay on the disk. With {@link Loading#EAGER} no other
     * file makes room, because the files already in memory came first and are hotter.
     */
    @Nullable
    Block take(IndexFile file) throws IOException {
        long length = file.lengthBytes();
        long charge = options.loading() == Loading.EAGER ? NEVER : blocks.chargeBytes(length);
        return orLeave(file, length, charge, () -> blocks.tryTake(length));
    }

    /**
     * Takes memory, and evicts other files if necessary.
     *
     * @param chargeBytes how much the budget must have for it; {@link #NEVER} if no file is to make room
     */
    private @Nullable Block orLeave(IndexFile file, long needed, long chargeBytes, Taking taking) throws IOException {
        try {
            Block taken = taking.tryTake();
            while (taken == null && canMakeRoom(chargeBytes) && evictColdest()) {
                taken = taking.tryTake();
            }
            return taken == null ? leave(file, needed, null) : taken;
        } catch (NoMemoryException e) {
            return leave(file, needed, e);
        }
    }

    /**
     * Returns whether evicting every file without a reader would make enough room. If not, evictions would be in vain, and no
     * file is evicted.
     */
    private boolean canMakeRoom(long bytes) {
        if (bytes == NEVER || options.whenFull() == WhenFull.REFUSE) {
            return false;
        }
        long idle = files.get().stream().mapToLong(IndexFile::idleBytes).sum();
        return bytes - options.budget().freeBytes() <= idle;
    }

    private @Nullable Block leave(IndexFile file, long needed, @Nullable NoMemoryException cause) throws IOException {
        if (options.whenFull() == WhenFull.REFUSE) {
            throw refusal(file, needed, cause);
        }
        counters.leftOnDisk.increment();
        return null;
    }

    private BudgetFullException refusal(IndexFile file, long needed, @Nullable NoMemoryException cause) {
        counters.refused.increment();
        String budget = "the budget is " + options.budget().limitBytes() + " bytes, of which "
                + options.budget().usedBytes() + " are used";
        String why = cause == null ? budget : cause.getMessage() + "; " + budget;
        return new BudgetFullException(file.name() + ": no memory for " + needed + " bytes: " + why, cause);
    }

    /** Evicts one file that has no reader: the file that was opened longest ago. */
    private boolean evictColdest() {
        Optional<IndexFile> evicted = files.get().stream()
                .filter(IndexFile::isInMemory)
                .sorted(Comparator.comparingLong(IndexFile::lastOpenedNanos))
                .filter(IndexFile::tryEvict)
                .findFirst();
        evicted.ifPresent(file -> counters.evicted.increment());
        return evicted.isPresent();
    }

    /** Locks the memory of a file, if the options ask for it. */
    void lock(IndexFile file, Block block) throws IOException {
        if (options.pageLocking() == PageLocking.NEVER) {
            return;
        }
        Optional<String> refusal = block.lockPages();
        if (refusal.isPresent()) {
            notLocked(file.name() + ": cannot lock " + block.chargedBytes() + " bytes in memory: " + refusal.get());
        }
    }

    private void notLocked(String text) throws IOException {
        if (options.pageLocking() == PageLocking.REQUIRED) {
            throw new IOException(text);
        }
        if (warned.compareAndSet(false, true)) {
            System.getLogger("dev.larder.lucene").log(Level.WARNING, text + "; going on without");
        }
    }

    long hugeBytes() {
        return blocks.hugeBytes();
    }

    void close() {
        blocks.retire();
    }
}
