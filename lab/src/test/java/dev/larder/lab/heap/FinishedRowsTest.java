package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FinishedRowsTest {

    private static final long LIVE = 1L << 30;

    private final Candidate candidate = new Candidate(HeapSubject.HASH_MAP, Collector.ZGC, LIVE, 2 * LIVE, 10);

    private Figures row(String operation, Phase phase, boolean valid) {
        return candidate
                .figures()
                .put("phase", phase)
                .put("operation", operation)
                .put("valid", valid);
    }

    @Test
    void aPhaseIsFinishedWhenAllOfItsRowsAreThereAndValid() {
        List<Figures> samples = new ArrayList<>();
        for (String operation : List.of("all", "get", "put")) {
            assertThat(new FinishedRows(samples).of(candidate, Phase.STEADY)).isEmpty();
            samples.add(Figures.parse(row(operation, Phase.STEADY, true).toJson()));
        }
        FinishedRows finished = new FinishedRows(samples);
        assertThat(finished.of(candidate, Phase.STEADY)).isEqualTo(samples);
        assertThat(finished.of(candidate, Phase.REFRESH)).isEmpty();
        Candidate busier = new Candidate(HeapSubject.HASH_MAP, Collector.ZGC, LIVE, 2 * LIVE, 50);
        assertThat(finished.of(busier, Phase.STEADY)).isEmpty();
        Candidate larger = new Candidate(HeapSubject.HASH_MAP, Collector.ZGC, 2 * LIVE, 4 * LIVE, 10);
        assertThat(finished.of(larger, Phase.STEADY)).isEmpty();
    }

    @Test
    void whatWasVoidIsMeasuredAgain() {
        List<Figures> samples = List.of(
                row("all", Phase.STEADY, false), row("get", Phase.STEADY, false), row("put", Phase.STEADY, false));
        assertThat(new FinishedRows(samples).of(candidate, Phase.STEADY)).isEmpty();
    }
}
