package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Samples;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The free stretches of a range, compared with a plain set of its units. */
class ExtentsTest {

    private static final int UNITS = 200;

    @Test
    void shouldTakeTheSmallestThatSuffices() {
        Extents extents = new Extents(0, 100);
        Extents.Extent first = Objects.requireNonNull(extents.take(10, 10));
        extents.take(5, 5);
        Extents.Extent third = Objects.requireNonNull(extents.take(20, 20));
        extents.take(1, 1);
        extents.give(first.offset(), first.bytes());
        extents.give(third.offset(), third.bytes());
        assertThat(extents.take(15, 15)).isEqualTo(new Extents.Extent(third.offset(), 15));
        assertThat(extents.take(10, 10)).isEqualTo(first);
    }

    @Test
    void shouldGiveTheLongestWhereNoneIsAsLongAsWanted() {
        Extents extents = new Extents(7, 100);
        assertThat(extents.take(101, 500)).isNull();
        assertThat(extents.take(50, 500)).isEqualTo(new Extents.Extent(7, 100));
        assertThat(extents.take(1, 1)).isNull();
    }

    @Test
    void shouldNeverGiveAnythingTwiceAndMergeNeighbours() {
        Samples.check(random -> {
            Extents extents = new Extents(0, UNITS);
            BitSet taken = new BitSet();
            List<Extents.Extent> held = new ArrayList<>();
            for (int step = 0; step < 100; step++) {
                if (random.nextBoolean() || held.isEmpty()) {
                    int wanted = random.nextInt(1, 40);
                    Extents.Extent extent = extents.take(random.nextInt(1, wanted + 1), wanted);
                    if (extent != null) {
                        assertThat(taken.get((int) extent.offset(), (int) extent.end())
                                        .isEmpty())
                                .isTrue();
                        taken.set((int) extent.offset(), (int) extent.end());
                        held.add(extent);
                    }
                } else {
                    Extents.Extent extent = held.remove(random.nextInt(held.size()));
                    taken.clear((int) extent.offset(), (int) extent.end());
                    extents.give(extent.offset(), extent.bytes());
                }
                assertThat(extents.count()).isEqualTo(gaps(taken));
            }
        });
    }

    private static int gaps(BitSet taken) {
        int gaps = 0;
        for (int at = taken.nextClearBit(0); at < UNITS; at = taken.nextClearBit(taken.nextSetBit(at))) {
            gaps++;
            if (taken.nextSetBit(at) < 0) {
                break;
            }
        }
        return gaps;
    }
}
