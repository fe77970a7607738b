package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.clean.Eviction;
import dev.larder.map.format.EntryLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The decision about each entry: it stays, or it goes. */
final class EvictionDecisionTest {

    private static final long ENTRY_BYTES = 100;

    private final AtomicBoolean tooMuch = new AtomicBoolean(true);
    private final Eviction eviction = new Eviction(tooMuch::get, 1000 * ENTRY_BYTES);

    @Test
    void staysAsManyTurnsAsItWasOfUse() {
        int uses = 0;
        for (int turn = 0; turn < 5; turn++) {
            eviction.begin();
            assertThat(eviction.takes(true, uses, ENTRY_BYTES)).isFalse();
            uses = eviction.usesAfter(true, uses);
        }
        assertThat(uses).isEqualTo(EntryLayout.USES_MAX);
        int turns = 0;
        eviction.begin();
        while (!eviction.takes(false, uses, ENTRY_BYTES)) {
            uses = eviction.usesAfter(false, uses);
            eviction.begin();
            turns++;
        }
        assertThat(turns).isEqualTo(EntryLayout.USES_MAX);
    }

    @Test
    void goesInItsFirstTurnWithoutAUse() {
        eviction.begin();
        assertThat(eviction.takes(false, 0, ENTRY_BYTES)).isTrue();
    }

    @Test
    void losesNoTurnWhileThereIsRoom() {
        tooMuch.set(false);
        eviction.begin();
        assertThat(eviction.takes(false, 0, ENTRY_BYTES)).isFalse();
        assertThat(eviction.usesAfter(false, 2)).isEqualTo(2);
        assertThat(eviction.usesAfter(true, 2)).isEqualTo(3);
    }

    @Test
    void aQuarterGoesThoughAllIsOfUse() {
        eviction.begin();
        int kept = 0;
        for (int i = 0; i < 10_000; i++) {
            kept += eviction.takes(true, EntryLayout.USES_MAX, ENTRY_BYTES) ? 0 : 1;
        }
        assertThat(kept).isBetween(7_000, 8_300);
    }
}
