package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The speed of forks, as ratios of configurations that took turns. Ratios are taken fork by fork, so that the machine's
 * effect on a whole round is on both sides. Each fork is divided by a control independent of the directory, so that a
 * generally faster fork is not taken for a faster directory.
 *
 * <pre>
 *           mean time of the kind
 *   time = ------------------------  of the subject, over the same of the reference
 *           mean of the control
 * </pre>
 */
final class ThroughputSummary {

    /** All kinds together, with equal weights and without the control. */
    static final String ALL = "all";

    private static final List<SearchDirectory> REFERENCES = List.of(SearchDirectory.MMAP, SearchDirectory.BYTEBUFFERS);

    private final List<Figures> forks;
    private final long seed;

    /**
     * A summary.
     *
     * @param forks rows with the number of a round, {@code subject}, {@code collector} and {@code kinds}, which has the
     *     mean time of each kind in microseconds
     * @param seed of the bootstrap
     */
    ThroughputSummary(List<Figures> forks, long seed) {
        this.forks = List.copyOf(forks);
        this.seed = seed;
    }

    /** Returns a row for each collector, reference, other subject and kind, {@link #ALL} first. */
    List<Figures> rows() {
        List<Figures> rows = new ArrayList<>();
        for (Object collector : distinct("collector")) {
            for (SearchDirectory reference : REFERENCES) {
                for (Object subject : distinct("subject")) {
                    if (!subject.equals(reference.toString()) && !isFirst(subject)) {
                        rows.addAll(rows(subject, reference.toString(), collector));
                    }
                }
            }
        }
        return rows;
    }

    /** Its rows as a subject would repeat those as the first reference. */
    private static boolean isFirst(Object subject) {
        return subject.equals(REFERENCES.getFirst().toString());
    }

    private Set<Object> distinct(String name) {
        Set<Object> values = new LinkedHashSet<>();
        forks.forEach(fork -> values.add(Objects.requireNonNull(fork.get(name))));
        return values;
    }

    private record Pair(Figures subject, Figures reference) {

        /** Returns the natural logarithm of the ratio of two mean times, each over the control's. */
        double logarithm(String kind) {
            return Math.log(time(subject, kind) / time(reference, kind));
        }

        private static double time(Figures fork, String kind) {
            Figures kinds = fork.part("kinds");
            double unit = kinds.number(ProcessorControl.KIND);
            return kinds.number(kind) / (Double.isNaN(unit) ? 1 : unit);
        }

        double logarithm(Set<String> kinds) {
            return kinds.stream().mapToDouble(this::logarithm).average().orElse(Double.NaN);
        }
    }

    private List<Figures> rows(Object subject, String reference, Object collector) {
        List<Pair> pairs = pairs(subject, reference, collector);
        if (pairs.isEmpty()) {
            return List.of();
        }
        Set<String> kinds = kinds(pairs);
        Bootstrap bootstrap = new Bootstrap(seed);
        List<Figures> rows = new ArrayList<>();
        Figures head = new Figures()
                .put("subject", subject)
                .put("collector", collector)
                .put("over", reference)
                .put("forks", pairs.size());
        rows.add(row(head, ALL, bootstrap.of(logarithms(pairs, pair -> pair.logarithm(kinds)))));
        kinds.forEach(kind -> rows.add(row(head, kind, bootstrap.of(logarithms(pairs, pair -> pair.logarithm(kind))))));
        return rows;
    }

    private static double[] logarithms(List<Pair> pairs, ToDoubleFunction<Pair> logarithm) {
        return pairs.stream().mapToDouble(logarithm).toArray();
    }

    private List<Pair> pairs(Object subject, String reference, Object collector) {
        List<Pair> pairs = new ArrayList<>();
        for (Figures fork : forks) {
            if (isOf(fork, subject, collector)) {
                forks.stream()
                        .filter(other -> isOf(other, reference, collector) && other.whole("fork") == fork.whole("fork"))
                        .findFirst()
                        .ifPresent(other -> pairs.add(new Pair(fork, other)));
            }
        }
        return pairs;
    }

    private static boolean isOf(Figures fork, Object subject, Object collector) {
        return subject.equals(fork.get("subject")) && collector.equals(fork.get("collector"));
    }

    /** Returns the kinds that every fork has, without the control. */
    private static Set<String> kinds(List<Pair> pairs) {
        Set<String> kinds =
                new TreeSet<>(pairs.getFirst().subject().part("kinds").names());
        kinds.remove(ProcessorControl.KIND);
        for (Pair pair : pairs) {
            kinds.removeIf(kind -> !Double.isFinite(pair.logarithm(kind)));
        }
        return kinds;
    }

    private static Figures row(Figures head, String kind, Bootstrap.Interval time) {
        Bootstrap.Interval throughput = time.inverse();
        return new Figures()
                .putAll(head)
                .put("kind", kind)
                .put("time_ratio", time.mean())
                .put("time_ratio_low", time.low())
                .put("time_ratio_high", time.high())
                .put("throughput_ratio", throughput.mean())
                .put("throughput_ratio_low", throughput.low())
                .put("throughput_ratio_high", throughput.high());
    }
}
