package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessMemoryTest {

    @Test
    void readsWhatTheKernelSharesOut() {
        Figures memory = ProcessMemory.of(List.of(
                "55b6233bd000-7ffed5860000 ---p 00000000 00:00 0                          [rollup]",
                "Rss:                9000 kB",
                "Pss:                 225 kB",
                "Pss_Dirty:           112 kB",
                "Pss_Anon:            100 kB",
                "Pss_File:            113 kB",
                "Pss_Shmem:            12 kB"));
        assertThat(memory.whole("memory_bytes")).isEqualTo(225 << 10);
        assertThat(memory.whole("anonymous_bytes")).isEqualTo(100 << 10);
        assertThat(memory.whole("file_bytes")).isEqualTo(113 << 10);
        assertThat(memory.whole("shared_memory_bytes")).isEqualTo(12 << 10);
        assertThat(ProcessMemory.of(List.of()).wholeOrNull("memory_bytes")).isNull();
    }

    @Test
    void growsByWhatIsAllocated() {
        long bytes = 64L << 20;
        Long before = ProcessMemory.figures().wholeOrNull("memory_bytes");
        assumeTrue(before != null, "the system does not tell the memory of a process");
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(bytes); // zeroed, and so touched
            assertThat(ProcessMemory.figures().whole("memory_bytes")).isGreaterThan(before + bytes / 2);
        }
    }
}
