package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationTimesTest {

    private static final int MANY = 20_000_000;

    /** If percentiles were rounded to four decimals, all between 99.99995 % and the greatest would be one point. */
    @Test
    void keepsEachPercentileOfManyRequestsApart() {
        OperationTimes times = new OperationTimes("get");
        for (int request = 1; request <= MANY; request++) {
            times.add(request, 0, Service.SERVED, true);
        }
        List<Double> percentiles = percentiles(times.row(1));
        assertThat(percentiles).doesNotHaveDuplicates().isSorted();
        assertThat(percentiles.get(percentiles.size() - 2))
                .isGreaterThan(99.99999)
                .isLessThan(100);
    }

    private static List<Double> percentiles(Figures row) {
        Figures read = Figures.parse(row.toJson());
        return read.get("percentiles") instanceof List<?> pairs
                ? pairs.stream().map(OperationTimesTest::first).toList()
                : List.of();
    }

    private static Double first(Object pair) {
        return pair instanceof List<?> list && list.getFirst() instanceof Number percentile
                ? percentile.doubleValue()
                : Double.valueOf(Double.NaN);
    }
}
