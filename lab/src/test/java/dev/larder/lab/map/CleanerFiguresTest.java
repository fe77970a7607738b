package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import org.junit.jupiter.api.Test;

final class CleanerFiguresTest {

    private static Figures space(long live, long used, long files, long carried) {
        return new Figures()
                .put("live_bytes", live)
                .put("used_bytes", used)
                .put("file_bytes", files)
                .put("carried_bytes", carried);
    }

    /** These live shares of segments that reach a cleaner are known: 0.2032 for a half full map, 0.6286 for 0.8. */
    @Test
    void theLeastIsThatOfACleanerWhichTakesTheOldestFirst() {
        assertThat(CleanerFigures.least(0.5)).isCloseTo(1.255, within(0.001));
        assertThat(CleanerFigures.least(0.8)).isCloseTo(2.693, within(0.001));
        assertThat(CleanerFigures.least(0.01)).isCloseTo(1, within(0.001));
    }

    @Test
    void whatWasCarriedIsToldPerByteThatWasPut() {
        Figures figures = CleanerFigures.of(space(1000, 2000, 2500, 100), space(1000, 2000, 2500, 2600), 50, 10, 10);
        assertThat(figures.number("written_for_one")).isEqualTo(1.5); // 50 puts of 100 bytes, and 2500 carried
        assertThat(figures.number("alive_of_used")).isEqualTo(0.5);
        assertThat(figures.number("alive_of_files")).isEqualTo(0.4);
        assertThat(figures.number("least_for_one")).isCloseTo(1.255, within(0.001));
    }

    /** If some of the puts had new keys, those leave nothing dead in the files. */
    @Test
    void aMapThatHasGrownHasNoLeast() {
        Figures figures = CleanerFigures.of(space(1000, 2000, 2500, 100), space(2000, 4000, 5000, 1100), 50, 10, 20);
        assertThat(figures.number("written_for_one")).isEqualTo(1.2); // 50 puts of 100 bytes, and 1000 carried
        assertThat(figures.get("least_for_one")).isNull();
    }

    @Test
    void whoHasNoCleanerHasNone() {
        assertThat(CleanerFigures.of(new Figures(), new Figures(), 50, 10, 10).has("written_for_one"))
                .isFalse();
        assertThat(CleanerFigures.of(space(1, 2, 3, 0), space(1, 2, 3, 0), 0, 10, 10)
                        .has("written_for_one"))
                .isFalse();
    }
}
