package dev.larder.lab.run;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.Collection;
import java.util.List;

/** The rounds of a run, summarized as one row for all samples with equal keys. */
public final class Summary {

    private Summary() {}

    /**
     * Returns the rows, in the order of their first samples. Each has its keys, its {@code rounds}, and of each figure the
     * median under its own name, and {@code _min}, {@code _p95} and {@code _max}; null if it was not measured.
     */
    public static List<Figures> rows(List<Figures> samples, List<String> keys, List<String> figures) {
        return groups(samples, keys).stream()
                .map(own -> row(own, keys, figures))
                .toList();
    }

    /** Returns the groups of samples with equal keys, in the order of first occurrence. */
    public static Collection<List<Figures>> groups(List<Figures> samples, List<String> keys) {
        return Rows.by(
                        samples,
                        sample -> keys.stream().map(sample::get).toList().toString())
                .values();
    }

    /** Returns one row of samples with equal keys. */
    public static Figures row(List<Figures> samples, List<String> keys, List<String> figures) {
        Figures row = new Figures();
        keys.forEach(key -> row.put(key, samples.getFirst().get(key)));
        row.put("rounds", samples.size());
        figures.forEach(figure -> add(row, figure, samples));
        return row;
    }

    /** Adds the spread of a figure to a row. */
    public static void add(Figures row, String figure, List<Figures> samples) {
        Sample sample = new Sample(
                Rows.numbers(samples, figure).stream().filter(Double::isFinite).toList());
        row.put(figure, sample.median())
                .put(figure + "_min", sample.min())
                .put(figure + "_p95", sample.quantile(0.95))
                .put(figure + "_max", sample.max());
    }
}
