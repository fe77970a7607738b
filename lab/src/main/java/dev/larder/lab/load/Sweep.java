package dev.larder.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * Finds the rate at which a target saturates: doubles the rate until it does not keep up, bisects the edge, and does
 * that again, each time from a little around the edge before, so that one lucky or unlucky load does not decide.
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
     * @param saturates puts a load of a rate on the target, and tells whether that is too much for it
     * @param precision how near the two sides of the edge are brought, as a share of the rate
     * @param repeats how often the edge is looked for
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
     * The rates between which a target begins to saturate.
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

    /** Returns the edges found, one for each repeat, from a rate that is surely kept up with. */
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

    /** Widens an edge that was found until both of its sides hold again. */
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

    /** Returns the middle one of the rates of several edges. */
    public static double median(List<Edge> edges) {
        return edges.stream().mapToDouble(Edge::rate).sorted().toArray()[edges.size() / 2];
    }
}
