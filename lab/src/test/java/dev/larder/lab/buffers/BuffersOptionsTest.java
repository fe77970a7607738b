package dev.larder.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.ByteSize;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BuffersOptionsTest {

    static final long KIB = 1L << 10;
    static final long MIB = 1L << 20;

    static BuffersOptions options(
            List<BufferKind> kinds, long total, int rounds, @Nullable Long limit, Long... blocks) {
        return new BuffersOptions(
                kinds,
                List.of(blocks),
                total,
                rounds,
                1,
                600,
                Math.max(64 * MIB, 3 * total),
                limit,
                false,
                null,
                7,
                false);
    }

    private static BuffersOptions direct(long total, long heap, @Nullable Long limit, Long... blocks) {
        return new BuffersOptions(
                List.of(BufferKind.DIRECT), List.of(blocks), total, 2, 0, 600, heap, limit, false, null, 7, false);
    }

    @Test
    void keepsGroupsBelowWhatMachinesAllow() {
        assertThat(BuffersOptions.groupBlocks(4 * KIB, 96 * MIB)).isEqualTo(1024);
        assertThat(BuffersOptions.groupBlocks(4 * MIB, 96 * MIB)).isEqualTo(24);
        assertThat(BuffersOptions.groupBlocks(4 * KIB, 8 * KIB)).isEqualTo(2);
        assertThat(BuffersOptions.groupBlocks(1024 * MIB, 2048 * MIB)).isEqualTo(1);
    }

    @Test
    void warmsUpWithAQuarterInWholeBlocks() {
        assertThat(direct(96 * MIB, 512 * MIB, null, 4 * MIB).warmUpBytes(4 * MIB))
                .isEqualTo(24 * MIB);
        assertThat(direct(8 * MIB, 512 * MIB, null, 4 * MIB).warmUpBytes(4 * MIB))
                .isEqualTo(4 * MIB);
    }

    @Test
    void namesItsKindsAsTheyAreWritten() {
        for (BufferKind kind : BufferKind.values()) {
            assertThat(BufferKind.named(kind.toString())).isEqualTo(kind);
        }
        assertThat(BufferKind.SYSTEM_V_SHM).hasToString("system-v-shm");
        assertThatThrownBy(() -> BufferKind.named("stone"))
                .hasMessageContaining("'stone'")
                .hasMessageContaining("posix-shm");
    }

    @Test
    void saysWhereSharedMemoryIsTooSmall() {
        Path here = Path.of(".").toAbsolutePath();
        assertThat(BufferKind.reasonOfRoom(here, 1)).isNull();
        assertThat(BufferKind.reasonOfRoom(here, 1L << 60))
                .contains("has room for")
                .contains(ByteSize.format(1L << 60));
    }

    @Test
    void saysWhatAHugePageForASmallBlockWouldCost() {
        assertThat(BufferKind.DIRECT.reasonToSkip(4 * KIB, 96 * MIB)).isNull();
        if (BufferKind.HUGE_PAGES.region().unavailable().isEmpty()) {
            assertThat(BufferKind.HUGE_PAGES.reasonToSkip(4 * KIB, 96 * MIB)).contains("48 GiB");
            assertThat(BufferKind.HUGE_PAGES.reasonToSkip(4 * MIB, 96 * MIB)).isNull();
        }
    }
}
