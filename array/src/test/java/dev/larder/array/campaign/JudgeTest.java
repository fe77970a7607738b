package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Porcupine;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge's bounds of a lifetime: by its history's clock a key is seen up to its end, and missed from then on, but for 20 ms. */
final class JudgeTest {

    private static final long MILLI = 1_000_000;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    /** A key has 100 ms, from a call that takes from 0 to 2 ms. */
    @ParameterizedTest
    @CsvSource({"v, 90, true", "v, 121, true", "v, 123, false", "v, 126, false", "nil, 79, false", "nil, 81, true"})
    void knowsHowLongAKeyMayBeSeen(String seen, long millis, boolean isRight) {
        long called = millis * MILLI;
        List<String> history =
                List.of("k px:v:100 OK 0 " + 2 * MILLI, "k get " + seen + " " + called + " " + (called + 10));
        assertThat(Porcupine.misfit("string", history).isEmpty()).isEqualTo(isRight);
    }
}
