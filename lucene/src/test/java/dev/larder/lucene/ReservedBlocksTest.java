package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.AddressReservation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks out of a reservation that is much too small: stretches are short, and nobody gets what is another's. */
class ReservedBlocksTest {

    private static final long RESERVED_BYTES = 64L << 20;
    private static final int STEPS = 3000;
    private static final int MOST_BLOCKS = 12;

    /** A block, the byte that it is full of, and how much of it. */
    private record Filled(Block block, byte value, long bytes) {}

    private final SplittableRandom random = new SplittableRandom(5);
    private final List<Filled> held = new ArrayList<>();

    @BeforeEach
    void needNativeCalls() {
        assumeTrue(TestMachine.hasNativeCalls(), "addresses are reserved by a native call");
    }

    @Test
    void shouldKeepBlocksApartAndGiveAllMemoryBack() throws IOException {
        MemoryBudget budget = MemoryBudget.of(RESERVED_BYTES / 2);
        try (AddressReservation reservation = AddressReservation.reserve(RESERVED_BYTES)) {
            ReservedBlocks blocks = new ReservedBlocks(new ReservedMemory(reservation), budget, new Counters());
            for (int step = 0; step < STEPS; step++) {
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
            assertThat(e).hasMessageContaining("addresses in one piece");
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
