package dev.larder.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.ByteSize;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BuffersOptionsTest {

    static final long KIB = 1L << 10;
    static final long MIB = 1L << 20;

    /** Returns the small options of tests, followed by those of a test. */
    static BuffersOptions options(String arguments) {
        String small = "--heap 64MiB --seconds 600 --warm-up 0 --rounds 1 --seed 7 ";
        return Settings.parse(BuffersOptions.class, (small + arguments).split(" ", -1));
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
        assertThat(options("--heap 512MiB --total 96MiB --block 4MiB").warmUpBytes(4 * MIB))
                .isEqualTo(24 * MIB);
        assertThat(options("--total 8MiB --block 4MiB").warmUpBytes(4 * MIB)).isEqualTo(4 * MIB);
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
