package dev.larder.log.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The pages that a caller need not ask for again, by a clock that stands still. */
final class RecentPagesTest {

    private static final long MILLISECOND = 1_000_000;

    private long now = Long.MAX_VALUE - 5 * MILLISECOND; // overflows during the test
    private final RecentPages pages = new RecentPages(() -> now);

    @Test
    void knowsNothingAtFirst() {
        assertThat(LongStream.range(0, 10_000).filter(pages::isMissing)).isEmpty();
        assertThat(LongStream.range(0, 10_000).filter(pages::isBroughtIn)).isEmpty();
    }

    @Test
    void aPageIsMissingUntilItIsBroughtIn() {
        pages.missed(7);
        assertThat(pages.isMissing(7)).isTrue();
        assertThat(pages.isBroughtIn(7)).isFalse();
        pages.broughtIn(7);
        assertThat(pages.isMissing(7)).isFalse();
        assertThat(pages.isBroughtIn(7)).isTrue();
        assertThat(LongStream.range(0, 100_000).filter(page -> page != 7).filter(pages::isBroughtIn))
                .isEmpty();
    }

    @Test
    void neitherCountsForLong() {
        pages.missed(1);
        pages.broughtIn(2);
        now += 8 * MILLISECOND;
        assertThat(pages.isMissing(1)).isTrue();
        assertThat(pages.isBroughtIn(2)).isTrue();
        now += 4 * MILLISECOND;
        assertThat(pages.isMissing(1)).isFalse();
        assertThat(pages.isBroughtIn(2)).isFalse();
        now -= 12 * MILLISECOND;
        now += 1L << 40; // other bits of the time than those that are kept first
        assertThat(pages.isBroughtIn(2)).isFalse();
    }

    @Test
    void mostOfTheLatestPagesAreKnown() {
        LongStream.range(0, 1000).forEach(pages::broughtIn);
        assertThat(LongStream.range(936, 1000).filter(pages::isBroughtIn).count())
                .isGreaterThan(48);
    }
}
