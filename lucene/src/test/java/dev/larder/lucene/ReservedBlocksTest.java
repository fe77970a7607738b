package dev.larder.lucene;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.AddressReservation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks of a reservation that is much too small: free stretches are short, and no block contains another block's memory. */
class ReservedBlocksTest {

    private static final long RESERVED_BYTES = 64L << 20;
    private static final int STEPS = 3000;
    private static final long LARGE_BYTES = 4L << 20;
    private static final int LARGE_BLOCKS = 15; // in the large zone: 60 MiB
    private static final int MOST_BLOCKS = 12;

    /** A block, the byte that fills it, and how many bytes it fills. */
    private record Filled(Block block, byte value, long bytes) {}

    private final SplittableRandom random = new SplittableRandom(5);
    private final List<Filled> held = new ArrayList<>();
    private final AtomicLong seconds = new AtomicLong();

    @BeforeEach
    void needNativeCalls() {
        assumeTrue(TestMachine.hasNativeCalls(), "addresses are reserved by a native call");
    }

    @Test
    void shouldKeepBlocksApartAndGiveAllMemoryBack() throws IOException {
        MemoryBudget budget = MemoryBudget.of(RESERVED_BYTES / 2);
        try (AddressReservation reservation = AddressReservation.reserve(RESERVED_BYTES)) {
            ReservedBlocks blocks = blocks(reservation, budget);
            for (int step = 0; step < STEPS; step++) {
                seconds.incrementAndGet();
                if (held.size() == MOST_BLOCKS || (random.nextInt(3) == 0 && !held.isEmpty())) {
                    checkAndRelease(held.remove(random.nextInt(held.size())));
                } else {
                    takeAndFill(blocks);
                }
            }
            held.forEach(ReservedBlocksTest::checkAndRelease);
            assertThat(budget.usedBytes()).isZero();
            assertThat(reservation.residentBytes()).isZero();
        }
    }

    private ReservedBlocks blocks(AddressReservation reservation, MemoryBudget budget) {
        ReservedMemory memory = new ReservedMemory(reservation, () -> TimeUnit.SECONDS.toNanos(seconds.get()));
        return new ReservedBlocks(memory, budget, new Counters());
    }

    /** A thread that reads a file which another thread closes and deletes finds zeros, and no other file's bytes. */
    @Test
    void shouldKeepAddressesOfAFileFromOthersForAWhile() throws IOException {
        try (AddressReservation reservation = AddressReservation.reserve(RESERVED_BYTES)) {
            ReservedBlocks blocks = blocks(reservation, MemoryBudget.unlimited());
            Block first = requireNonNull(blocks.tryTake(LARGE_BYTES));
            MemorySegment stale = first.memory();
            stale.fill((byte) 1);
            first.release();
            for (int others = 0; others < LARGE_BLOCKS - 1; others++) { // all other addresses
                Block other = requireNonNull(blocks.tryTake(LARGE_BYTES));
                other.memory().fill((byte) 2);
            }
            assertThat(stale.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
            seconds.addAndGet(Quarantine.TIME.toSeconds() - 1);
            assertThatThrownBy(() -> blocks.tryTake(LARGE_BYTES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("of 1 deleted files stay reserved for 10 s");
            seconds.incrementAndGet();
            Block again = requireNonNull(blocks.tryTake(LARGE_BYTES));
            assertThat(again.memory().address()).isEqualTo(stale.address());
        }
    }

    private void takeAndFill(ReservedBlocks blocks) throws IOException {
        long length = random.nextInt(random.nextBoolean() ? 20_000 : 5 << 20) + 1L;
        Block block = take(blocks, length);
        if (block == null) {
            return;
        }
        byte value = (byte) random.nextInt(1, 100);
        long writable = Math.min(block.chargedBytes(), block.roomBytes());
        block.memory().asSlice(0, writable).fill(value);
        long kept = Math.min(writable, length);
        held.add(new Filled(blocks.fit(block, kept), value, kept));
    }

    private @Nullable Block take(ReservedBlocks blocks, long length) {
        try {
            return random.nextBoolean() ? blocks.tryTake(length) : blocks.tryTakeGrowing(length, 0);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("no contiguous range of");
            return null;
        }
    }

    private static void checkAndRelease(Filled filled) {
        MemorySegment memory = filled.block().memory();
        for (long at = 0; at < filled.bytes(); at += 512) {
            assertThat(memory.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(filled.value());
        }
        filled.block().release();
    }
}
