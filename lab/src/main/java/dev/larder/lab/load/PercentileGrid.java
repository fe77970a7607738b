package dev.larder.lab.load;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The percentiles at which a curve is drawn: ten for each nine, so that they are evenly spread over an axis of nines
 * (0, 20.6, 36.9, ... 90, ... 99, ...), as far as there are requests to tell, and 100.
 */
final class PercentileGrid {

    private static final int PER_NINE = 10;
    private static final double PERCENT = 100;

    private PercentileGrid() {}

    /** Returns the percentiles that so many values can tell: above each there is at least one of them. */
    static DoubleStream upTo(long count) {
        if (count == 0) {
            return DoubleStream.empty();
        }
        int steps = (int) Math.floor(Math.log10((double) count) * PER_NINE);
        DoubleStream grid = IntStream.rangeClosed(0, steps)
                .mapToDouble(step -> PERCENT * (1 - Math.pow(10, -(double) step / PER_NINE)));
        return DoubleStream.concat(grid, DoubleStream.of(PERCENT));
    }
}
