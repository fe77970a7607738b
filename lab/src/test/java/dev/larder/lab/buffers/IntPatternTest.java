package dev.larder.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import org.junit.jupiter.api.Test;

class IntPatternTest {

    @Test
    void findsEveryNumberThatIsWrong() {
        try (Region region = Region.create(RegionKind.HEAP, 4096)) {
            IntPattern pattern = IntPattern.of(1, 2, 3);
            pattern.write(region);
            assertThat(pattern.wrong(region)).isZero();
            assertThat(pattern.wrongAtEnds(region)).isZero();
            assertThat(IntPattern.of(1, 2, 4).wrong(region)).isEqualTo(1024);
            region.putInt(2000, region.getInt(2000) + 1);
            assertThat(pattern.wrong(region)).isOne();
            assertThat(pattern.wrongAtEnds(region)).isZero();
            region.putInt(4092, 0);
            assertThat(pattern.wrongAtEnds(region)).isOne();
            region.putInt(0, region.getInt(0) + 1);
            assertThat(pattern.wrongAtEnds(region)).isEqualTo(2);
        }
    }
}
