package dev.larder.log.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentLayoutTest {

    @Test
    void beginsTheRecordsOnThePageBehindTheRows() {
        assertThat(SegmentLayout.head(2L << 20)).isEqualTo(8192);
        assertThat(SegmentLayout.head(128L << 20)).isEqualTo(8192);
        assertThat(SegmentLayout.head(256L << 20)).isEqualTo(4096 + 256 * 32);
        assertThat(SegmentLayout.head(4L << 30)).isEqualTo(4096 + 4096 * 32);
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32})
    void keepsARowForEachBlockBelowTheHead(int shift) {
        long size = 1L << shift;
        assertThat(SegmentLayout.row(0)).isEqualTo(SegmentLayout.ROWS);
        assertThat(SegmentLayout.row(SegmentLayout.BLOCK_BYTES - 1)).isEqualTo(SegmentLayout.ROWS);
        assertThat(SegmentLayout.row(SegmentLayout.BLOCK_BYTES)).isEqualTo(SegmentLayout.ROWS + 32);
        assertThat(SegmentLayout.row(size - 1) + SegmentLayout.ROW_BYTES).isLessThanOrEqualTo(SegmentLayout.head(size));
        assertThat(SegmentLayout.head(size)).isLessThan(SegmentLayout.BLOCK_BYTES);
    }

    @Test
    void readsItsOwnFileNames() {
        Samples.check(random -> {
            int number = Samples.intWithin(random, 0, Integer.MAX_VALUE);
            String name = SegmentLayout.fileName(number);
            assertThat(name).hasSize(14).endsWith(".seg");
            assertThat(SegmentLayout.numberOf(name)).isEqualTo(number);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000.tmp",
                "000000000.seg",
                "00000000000.seg",
                "000000000x.seg",
                "-000000001.seg",
                "+000000001.seg",
                "2147483648.seg",
                "9999999999.seg",
                ".seg",
                "",
                "log.ctl",
                "p-0-1-1.tmp",
                "\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660.seg"
            })
    void takesNoOtherNameForASegment(String name) {
        assertThat(SegmentLayout.numberOf(name)).isEqualTo(-1);
    }

    @Test
    void keepsSharedWordsOfTheControlFileOnLinesOfTheirOwn() {
        assertThat(java.util.List.of(
                        ControlLayout.FIRST,
                        ControlLayout.TAIL,
                        ControlLayout.DURABLE,
                        ControlLayout.FAILED,
                        ControlLayout.WAKE_SEQUENCE,
                        ControlLayout.STATE))
                .allMatch(offset -> offset % 64 == 0)
                .doesNotHaveDuplicates();
        assertThat(ControlLayout.pin(0) - ControlLayout.generation(0)).isEqualTo(64);
        assertThat(ControlLayout.generation(1023) + 128).isEqualTo(ControlLayout.SIZE_BYTES);
    }
}
