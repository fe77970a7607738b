package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.lab.load.Arrivals;
import dev.larder.lab.load.Request;
import dev.larder.lab.search.index.SearchTask;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchWorkloadTest {

    private static final SearchTasks TASKS = new SearchTasks(
            List.of(SearchTask.of("term: the"), SearchTask.of("fuzzy2: stream"), SearchTask.of("term: of")));

    @Test
    void kindsAreThoseOfTheTasksAndUpdates() {
        SearchWorkload workload = new SearchWorkload(TASKS, 10, 0.5, 1);
        assertThat(workload.kinds()).containsExactly("term", "fuzzy2", "update");
        assertThat(workload.foreground().orElseThrow().kinds()).containsExactly("term", "fuzzy2");
    }

    @Test
    void aSearchCarriesItsTask() {
        SearchWorkload workload = new SearchWorkload(TASKS, 10, 0, 1);
        Request request = new Request();
        for (int i = 0; i < 9; i++) {
            workload.next(request);
            SearchTask task = TASKS.task((int) request.argument());
            assertThat(SearchTask.of(request.payload())).isEqualTo(task);
            assertThat(workload.kinds().get(request.kind()))
                    .isEqualTo(task.kind().label());
        }
    }

    /**
     * Updates are a Poisson process of their own. At a quarter of a total of 1,000 a second, the gaps between them have the
     * mean and the deviation of a process with 250 a second.
     */
    @Test
    void updatesArriveIndependently() {
        SearchWorkload workload = new SearchWorkload(TASKS, 1000, 0.25, 1);
        Arrivals arrivals = Arrivals.poisson(1000, 2);
        Request request = new Request();
        List<Double> gaps = new ArrayList<>();
        double last = 0;
        while (gaps.size() < 20_000) {
            double now = arrivals.next() / 1e6;
            workload.next(request);
            if (request.kind() == TASKS.updateKind()) {
                gaps.add(now - last);
                last = now;
                assertThat(request.argument()).isBetween(0L, 999L);
            }
        }
        double mean = gaps.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double variance = gaps.stream()
                .mapToDouble(gap -> (gap - mean) * (gap - mean))
                .average()
                .orElseThrow();
        assertThat(mean).isCloseTo(4, within(0.1));
        assertThat(Math.sqrt(variance)).isCloseTo(4, within(0.15));
    }
}
