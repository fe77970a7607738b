package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.cli.Figures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The subject of a load has its own row, and the timeline to itself; a request's time is reported in its parts. */
final class ForegroundTest {

    private static final long MILLI = 1_000_000;

    @TempDir
    Path directory;

    private record Kinds(List<String> kinds) implements Workload {

        @Override
        public Optional<Foreground> foreground() {
            return Optional.of(new Foreground("search", List.of("term", "fuzzy")));
        }

        @Override
        public void next(Request request) {
            throw new AssertionError("nothing is sent here");
        }
    }

    private LoadSummary summary() {
        Path responses = directory.resolve("responses");
        try (ResponseLog log = new ResponseLog(responses);
                Arena arena = Arena.ofConfined()) {
            MemorySegment response = arena.allocate(Response.BYTES);
            for (int number = 0; number < 300; number++) {
                int kind = number % 3;
                long intended = 3L * number * MILLI;
                long took = kind == 2 ? 500 * MILLI : (kind + 1) * MILLI;
                Response.sent(response, 0, intended, intended, kind);
                Response.answered(response, 0, intended + took, 0, took / 4, took / 2);
                log.add(response, 0);
            }
        }
        return LoadSummary.of(responses, directory.resolve("hlog"), new Kinds(List.of("term", "fuzzy", "update")), 1);
    }

    @Test
    void hasARowBehindThatOfAll() {
        List<Figures> rows = summary().operations();
        assertThat(rows)
                .extracting(row -> row.get("operation"))
                .containsExactly("all", "search", "term", "fuzzy", "update");
        assertThat(rows).extracting(row -> row.whole("requests")).containsExactly(300L, 200L, 100L, 100L, 100L);
        assertThat(rows.get(0).number("max_us")).isCloseTo(500_000, within(600.0));
        assertThat(rows.get(1).number("max_us")).isCloseTo(2_000, within(3.0));
    }

    @Test
    void hasTheTimelineToItself() {
        List<Figures> intervals = summary().timeline();
        assertThat(intervals.stream().mapToLong(row -> row.whole("requests")).sum())
                .isEqualTo(200);
        assertThat(intervals).allSatisfy(row -> assertThat(row.number("max_us")).isLessThan(2_100));
    }

    @Test
    void waitingAndServiceAreToldApart() {
        Figures fuzzy = summary().operations().get(3);
        assertThat(fuzzy.number("waited_mean_us")).isCloseTo(500, within(1.0));
        assertThat(fuzzy.number("served_p99_us")).isCloseTo(1_000, within(1.5));
    }
}
