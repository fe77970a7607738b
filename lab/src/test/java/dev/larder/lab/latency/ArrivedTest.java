package dev.larder.lab.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Durations;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A tailer notices losses, disorder and impossible times; a run with such a row is void. */
class ArrivedTest {

    private final StampedMessage message = new StampedMessage(32, 1);

    private void arrive(Arrived arrived, long number, long ageNanos) {
        deliver(arrived, message.stamped(System.nanoTime() - ageNanos, number));
    }

    private static void deliver(Arrived arrived, MemorySegment bytes) {
        arrived.onMessage(bytes, 0, (int) bytes.byteSize());
    }

    private Arrived of(long warmUp, long... numbers) {
        Arrived arrived = new Arrived(warmUp);
        for (long number : numbers) {
            arrive(arrived, number, 1_000_000);
        }
        return arrived;
    }

    private Figures end(Arrived arrived, long count) {
        assertThat(arrived.isComplete()).isFalse();
        deliver(arrived, message.last(System.nanoTime(), count));
        assertThat(arrived.isComplete()).isTrue();
        return row(arrived);
    }

    /** Returns a row with everything except what the tailer saw. */
    private static Figures row(Arrived arrived) {
        return new Figures()
                .put("name", "default")
                .put("clocks_comparable", true)
                .put("sent", 3)
                .put("messages", 3)
                .putAll(arrived.figures());
    }

    @Test
    void countsFromWhenTheMessageWasToLeave() {
        Figures row = end(of(1, 0, 1, 2), 3);
        assertThat(row.whole("received")).isEqualTo(3);
        assertThat(row.part("to_tailer").number("p50_us"))
                .isGreaterThanOrEqualTo(999); // of the two messages that count
        assertThat(row.number("tailer_cores")).isNotNegative();
        assertThat(RowCheck.invalidReason(row)).isNull();
    }

    @Test
    void noticesALoss() {
        Figures row = end(of(0, 0, 1), 3);
        assertThat(row.whole("lost")).isEqualTo(1);
        assertThat(RowCheck.invalidReason(row)).contains("2 of 3 messages arrived");
    }

    @Test
    void noticesThatTheLastOneNeverCame() {
        assertThat(RowCheck.invalidReason(row(of(0, 0, 1, 2)))).contains("3 of 3 messages arrived");
    }

    @Test
    void noticesDisorder() {
        Figures row = end(of(0, 0, 2, 1), 3);
        assertThat(RowCheck.invalidReason(row)).contains("2 messages arrived out of order");
    }

    @Test
    void noticesAMessageFromTheFuture() {
        Arrived arrived = of(0, 0, 1);
        arrive(arrived, 2, -1_000_000_000_000L);
        assertThat(RowCheck.invalidReason(end(arrived, 3))).contains("1 messages arrived before they were sent");
    }

    @Test
    void clocksThatDifferMakeTheRunVoid() {
        Figures row = end(of(0, 0, 1, 2), 3).put("clocks_comparable", false);
        assertThat(RowCheck.invalidReason(row)).contains("nanoTime()");
        assertThat(Exchange.isBetween(10, 10, 10)).isTrue();
        assertThat(Exchange.isBetween(10, 9, 12)).isFalse();
        assertThat(Exchange.isBetween(10, 13, 12)).isFalse();
        assertThat(Exchange.isBetween(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1))
                .isTrue(); // the clock may wrap
    }

    @Test
    void aSenderThatIsLateByItselfMakesItsRowVoid() {
        Figures row = new Figures().put("messages", 100).put("sender_late", new Figures().put("p99_us", 199.0));
        assertThat(RowCheck.voidReason(row)).isNull();
        assertThat(RowCheck.voidReason(row.put("sender_late", new Figures().put("p99_us", 201.0))))
                .contains("p99 201 us, bound 200 us");
        assertThat(RowCheck.voidReason(new Figures().put("messages", 0))).contains("nothing was measured");
    }

    @Test
    void percentilesThatSoFewCannotBearAreLeftOut() {
        Durations durations = new Durations();
        for (int index = 1; index <= 1000; index++) {
            durations.record(index * 1000L);
        }
        Figures figures = durations.borne();
        assertThat(figures.number("p50_us")).isBetween(499.0, 501.0);
        assertThat(figures.number("p999_us")).isBetween(998.0, 1000.0);
        assertThat(figures.number("p9999_us")).isNaN();
        assertThat(figures.number("max_us")).isBetween(999.0, 1001.0);
        assertThat(durations.above(900_000)).isBetween(99L, 101L);
        assertThat(String.valueOf(durations.borneWithCurve().get("percentiles")))
                .contains("[100.0000000000, 1000");
    }
}
