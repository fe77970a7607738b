package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.tests.crash.DeathWatch.Death;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Waits that are longer after a death are distinguished from waits that are always long. */
final class WaitsTest {

    private static final int DEATHS = 40;
    private static final int UNDISTURBED = 120;
    private static final long MOST_NANOS = 120_000_000;

    private final SplittableRandom random = new SplittableRandom(1);

    /** Returns this many waits, between a bound and 120 ms above it. */
    private List<Death> waits(int count, long leastNanos) {
        return Stream.generate(() -> new Death(0, leastNanos + random.nextLong(MOST_NANOS), 0, "somebody"))
                .limit(count)
                .toList();
    }

    private Waits with(long moreNanos) {
        Waits waits = new Waits();
        waits.add(waits(DEATHS, moreNanos));
        waits.addUndisturbed(waits(UNDISTURBED, 0));
        return waits;
    }

    @Test
    void letsPassWhatIsLongWhetherSomebodyDiesOrNot() {
        with(0).requireNoLongerThanUndisturbed();
    }

    @Test
    void seesThatEachIsFortyMillisecondsLonger() {
        Waits waits = with(40_000_000);
        assertThatThrownBy(waits::requireNoLongerThanUndisturbed).isInstanceOf(AssertionError.class);
    }

    @Test
    void seesOneLateDeathOfAHundred() {
        Waits waits = new Waits();
        waits.add(waits(2, 21_000_000));
        assertThatThrownBy(waits::requireShort).isInstanceOf(AssertionError.class);
    }
}
