package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.node.EntryTrail.Behind;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How far a member is behind, by the records of its leader. */
final class EntryTrailTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final EntryTrail trail = new EntryTrail();

    @Test
    void aMemberLacksWhatWasAppliedBehindItsEntry() {
        assertThat(trail.behind(-1, 0)).isEqualTo(new Behind(0, 0, 0));
        trail.note(10, 1000, 100 * MILLI);
        trail.note(10, 1000, 200 * MILLI); // nothing new
        trail.note(14, 1500, 300 * MILLI);
        trail.note(20, 4000, 400 * MILLI);
        assertThat(trail.behind(20, 900 * MILLI)).isEqualTo(new Behind(0, 0, 0));
        assertThat(trail.behind(25, 900 * MILLI)).isEqualTo(new Behind(0, 0, 0)); // it has reported since
        assertThat(trail.behind(14, 900 * MILLI)).isEqualTo(new Behind(6, 2500, 500));
        assertThat(trail.behind(12, 900 * MILLI)).isEqualTo(new Behind(8, 3000, 600));
        assertThat(trail.behind(3, 900 * MILLI)).isEqualTo(new Behind(17, 3000, 800)); // only recorded bytes
    }

    @Test
    void longAgoThinsOut() {
        for (int index = 0; index < 100_000; index++) {
            trail.note(index, 10L * index, index * MILLI);
        }
        Behind all = trail.behind(0, 100_000 * MILLI);
        assertThat(all.entries()).isEqualTo(99_999);
        assertThat(all.bytes()).isEqualTo(999_990);
        Behind last = trail.behind(99_990, 100_000 * MILLI);
        assertThat(last.entries()).isEqualTo(9);
        assertThat(last.millis()).isBetween(0L, 10L);
    }
}
