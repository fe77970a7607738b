package dev.larder.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.region.RegionKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmMemoryTest {

    private static final long MIB = 1 << 20;

    @Test
    void isLeftAheadOfWhoTakesIt() {
        assumeHeld(704 * MIB);
        try (WarmMemory memory = new WarmMemory(700 * MIB)) {
            assertEquals(0, memory.heldBytes());
            memory.fill();
            assertEquals(704 * MIB, memory.heldBytes(), "whole pieces");
            memory.leave(0);
            assertEquals(128 * MIB, memory.heldBytes(), "512 MiB are free from the beginning");
            memory.leave(100 * MIB);
            assertEquals(64 * MIB, memory.heldBytes(), "and more as it is taken");
            memory.fill();
            assertEquals(704 * MIB, memory.heldBytes());
        }
    }

    @Test
    void isLeftToAProcessThatTakesIt() throws InterruptedException {
        assumeHeld(64 * MIB);
        try (WarmMemory memory = new WarmMemory(64 * MIB)) {
            memory.fill();
            try (WarmMemory.Watch _ = memory.watch(ProcessHandle.current().pid())) {
                assertTrue(emptied(memory, Duration.ofSeconds(60)), "a JVM has taken some by now");
            }
        }
    }

    private static boolean emptied(WarmMemory memory, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (memory.heldBytes() > 0 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        return memory.heldBytes() == 0;
    }

    @Test
    void allOfItGoesAtTheEnd() {
        WarmMemory memory = new WarmMemory(100 * MIB);
        memory.fill();
        memory.close();
        assertEquals(0, memory.heldBytes());
    }

    private static void assumeHeld(long bytes) {
        assumeTrue(RegionKind.HUGE_PAGES.unavailable().isEmpty(), "no huge pages");
        assumeTrue(Machine.freeBytes() > bytes + (2L << 30), "little memory is free");
    }
}
