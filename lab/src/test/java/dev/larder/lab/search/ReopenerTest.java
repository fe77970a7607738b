package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ReopenerTest {

    private static final long MILLI = 1_000_000;

    @Test
    void keepsWhatWasNotVisibleForHowLong() {
        AtomicInteger count = new AtomicInteger();
        try (Reopener reopener = new Reopener(
                visible -> {
                    visible.accept(10 * MILLI);
                    visible.accept(30 * MILLI);
                    count.incrementAndGet();
                },
                0.01)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> count.get() > 3);
            Figures taken = reopener.take();
            Figures summary = taken.part("summary");
            assertThat(summary.whole("reopens_count")).isGreaterThanOrEqualTo(3);
            assertThat(summary.number("visible_p50_ms")).isBetween(9.9, 10.1);
            assertThat(summary.number("visible_max_ms")).isBetween(29.9, 30.1);
            assertThat(taken.rows("reopens").getFirst().whole("updates")).isEqualTo(2);
        }
    }

    @Test
    void whatWasTakenIsNotTakenAgain() {
        AtomicInteger count = new AtomicInteger();
        try (Reopener reopener = new Reopener(visible -> count.incrementAndGet(), 0.01)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> count.get() > 1);
            Figures first = reopener.take();
            int before = count.get();
            await().atMost(Duration.ofMinutes(2)).until(() -> count.get() > before + 1);
            Figures second = reopener.take();
            assertThat(first.rows("reopens").size() + second.rows("reopens").size())
                    .isBetween(before, count.get());
            assertThat(second.part("summary").get("visible_p50_ms")).isNull();
        }
    }

    @Test
    void aFailureIsTold() {
        try (Reopener reopener = new Reopener(
                visible -> {
                    throw new IOException("a bad disk");
                },
                0.01)) {
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThatThrownBy(reopener::take)
                            .isInstanceOf(LabException.class)
                            .hasMessageContaining("cannot reopen the index: java.io.IOException: a bad disk"));
        }
    }
}
