package dev.larder.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * Finds the rate at which a target saturates: doubles the rate until the target does not keep up, then bisects the edge.
 * It repeats this from around the previous edge, so that one lucky or unlucky load does not decide.
 */
public final class Sweep {

    private static final double AROUND = 0.15;
    private static final int DOUBLINGS_MAX = 40;

    private final DoublePredicate saturates;
    private final double precision;
    private final int repeats;

    /**
     * A sweep.
     *
     * @param saturates loads the target at a rate, and returns whether that is too much
     * @param precision the final distance of the edge's two sides, as a share of the rate
     * @param repeats how often to find the edge
     */
    public Sweep(DoublePredicate saturates, double precision, int repeats) {
        if (!(precision > 0 && precision < 1) || repeats < 1) {
            throw new IllegalArgumentException(
                    "precision must be between 0 and 1, found " + precision + "; repeats at least 1, found " + repeats);
        }
        this.saturates = saturates;
        this.precision = precision;
        this.repeats = repeats;
    }

    /**
     * The two rates between which a target saturates.
     *
     * @param keptUp the highest rate found at which it kept up
     * @param saturated the lowest rate found at which it did not
     */
    public record Edge(double keptUp, double saturated) {

        /** Returns the rate in the middle. */
        public double rate() {
            return (keptUp + saturated) / 2;
        }
    }

    /** Returns the edges, one for each repeat, from a rate that the target surely keeps up with. */
    public List<Edge> run(double startRate) {
        List<Edge> edges = new ArrayList<>();
        Edge edge = bisect(bracket(startRate));
        edges.add(edge);
        while (edges.size() < repeats) {
            edge = bisect(around(edge));
            edges.add(edge);
        }
        return edges;
    }

    private Edge bracket(double startRate) {
        double rate = startRate;
        double below = 0;
        for (int i = 0; i < DOUBLINGS_MAX && !saturates.test(rate); i++) {
            below = rate;
            rate *= 2;
        }
        return new Edge(below, rate);
    }

    /** Widens a found edge until both of its sides hold again. */
    private Edge around(Edge edge) {
        double below = edge.rate() * (1 - AROUND);
        while (saturates.test(below)) {
            below *= 1 - AROUND;
        }
        double above = edge.rate() * (1 + AROUND);
        while (!saturates.test(above)) {
            above *= 1 + AROUND;
        }
        return new Edge(below, above);
    }

    private Edge bisect(Edge bracket) {
        Edge edge = bracket;
        while (edge.saturated() - edge.keptUp() > precision * edge.saturated()) {
            double middle = edge.rate();
            edge = saturates.test(middle) ? new Edge(edge.keptUp(), middle) : new Edge(middle, edge.saturated());
        }
        return edge;
    }

    /** Returns the median rate of several edges. */
    public static double median(List<Edge> edges) {
        return edges.stream().mapToDouble(Edge::rate).sorted().toArray()[edges.size() / 2];
    }
}
