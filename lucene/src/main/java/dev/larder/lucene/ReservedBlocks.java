package dev.larder.lucene;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Blocks from the JVM's {@link ReservedMemory}. A file grows into addresses that were kept free for it.
 *
 * <p>A file that outgrows the small zone is copied once (2 MiB). A larger file is copied only if too few addresses were kept
 * for it, which needs a crowded address space.
 */
final class ReservedBlocks implements BlockSource {

    private static final long FIRST_CHARGE_BYTES = 16L << 10;

    private final ReservedMemory memory;
    private final MemoryBudget budget;
    private final Counters counters;

    ReservedBlocks(ReservedMemory memory, MemoryBudget budget, Counters counters) {
        this.memory = memory;
        this.budget = budget;
        this.counters = counters;
    }

    @Override
    public @Nullable Block tryTakeGrowing(long leastBytes, long expectedBytes) throws NoMemoryException {
        boolean isSmall = leastBytes <= SMALL_BYTES;
        long wanted = isSmall ? SMALL_BYTES : memory.stretchFor(Math.max(leastBytes, expectedBytes));
        return tryTake(zone(leastBytes), growingChargeBytes(leastBytes), wanted);
    }

    @Override
    public @Nullable Block tryTake(long lengthBytes) throws NoMemoryException {
        long bytes = chargeBytes(lengthBytes);
        return tryTake(zone(lengthBytes), bytes, bytes);
    }

    @Override
    public long chargeBytes(long lengthBytes) {
        return zone(lengthBytes).round(lengthBytes);
    }

    @Override
    public long growingChargeBytes(long leastBytes) {
        return zone(leastBytes).round(Math.max(leastBytes, FIRST_CHARGE_BYTES));
    }

    private AddressZone zone(long lengthBytes) {
        return lengthBytes <= SMALL_BYTES ? memory.small() : memory.large();
    }

    /** Takes a block. Its first bytes are charged at once. */
    private @Nullable Block tryTake(AddressZone zone, long chargeBytes, long wantedBytes) throws NoMemoryException {
        if (!budget.tryTake(chargeBytes)) {
            return null;
        }
        Extents.Extent extent = zone.take(chargeBytes, wantedBytes);
        if (extent == null) {
            budget.give(chargeBytes);
            throw new NoMemoryException(
                    "no contiguous range of " + chargeBytes + " addresses is left in " + zone, null);
        }
        return new ReservedBlock(zone, extent, chargeBytes);
    }

    @Override
    public Block fit(Block block, long lengthBytes) {
        block.trim(lengthBytes);
        return block;
    }

    @Override
    public long hugeBytes() {
        return memory.hugeBytes();
    }

    @Override
    public void retire() {
        // the addresses are the JVM's; each block gives its memory back by itself
    }

    /** A stretch of a zone. */
    private final class ReservedBlock extends Block {

        private final AddressZone zone;
        private final long offset;
        private volatile MemorySegment memory;
        private volatile long lockedBytes;

        ReservedBlock(AddressZone zone, Extents.Extent extent, long chargedBytes) {
            super(budget, counters, chargedBytes);
            this.zone = zone;
            this.offset = extent.offset();
            this.memory = zone.segment(extent);
        }

        @Override
        MemorySegment memory() {
            return memory;
        }

        @Override
        long memoryFor(long lengthBytes) {
            return zone.round(lengthBytes);
        }

        /** Gives touched pages that are not kept back before their addresses. */
        @Override
        void cutRoom(long lengthBytes) {
            long kept = zone.round(lengthBytes);
            long room = memory.byteSize();
            memory = memory.asSlice(0, kept);
            zone.release(offset + kept, Math.max(0, chargedBytes() - kept));
            zone.give(offset + kept, room - kept);
        }

        @Override
        Optional<String> lockPages() {
            Optional<String> refusal = zone.lock(offset, chargedBytes());
            lockedBytes = refusal.isPresent() ? 0 : chargedBytes();
            return refusal;
        }

        @Override
        long lockedBytes() {
            return lockedBytes;
        }

        @Override
        void giveMemory() {
            if (lockedBytes > 0) {
                zone.unlock(offset, lockedBytes);
            }
            zone.release(offset, chargedBytes());
            zone.retire(offset, memory.byteSize());
        }
    }
}
