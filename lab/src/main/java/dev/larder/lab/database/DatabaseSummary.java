package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Rows;
import dev.larder.lab.run.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic from rounds to the claim: medians by store and durability, and each store's time divided by Larder's.
 *
 * <p>To query a log, its reader first builds a table of positions, so that time counts as part of Larder's queries.
 * Of a database's variants, the fastest one counts, figure by figure.
 */
final class DatabaseSummary {

    /** The times of a round; a row has the median, minimum and maximum of each. */
    static final List<String> TIMES = List.of("insert_ms", "sync_ms", "scan_ms", "index_ms", "query_ms");

    private final List<Figures> runs;

    DatabaseSummary(List<Figures> runs) {
        this.runs = runs;
    }

    /** Returns a row for each store, variant and durability, in the order of the stores. */
    List<Figures> rows() {
        List<Figures> sorted = StoreKind.STORES.stream()
                .flatMap(store -> Rows.where(runs, "store", store).stream())
                .toList();
        Map<String, List<Figures>> groups = Rows.by(sorted, run -> name(run) + " " + run.text("durability"));
        return groups.values().stream().map(DatabaseSummary::row).toList();
    }

    private static Figures row(List<Figures> rounds) {
        Figures first = rounds.getFirst();
        List<String> figures = new ArrayList<>(TIMES);
        first.names().stream().filter(name -> name.startsWith("mix_")).forEach(figures::add);
        figures.addAll(List.of("insert_cpu_ms", "scan_cpu_ms", "bytes_on_disk"));
        return Summary.row(rounds, List.of("store", "variant", "durability", "settings"), figures);
    }

    /** Returns the comparison for each measured durability: {@code insert}, {@code scan}, {@code query}. */
    Figures figures() {
        Figures summary = new Figures();
        List<Figures> rows = rows();
        for (Durability durability : Durability.values()) {
            List<Figures> ofIt = Rows.where(rows, "durability", durability);
            if (!ofIt.isEmpty()) {
                summary.put(
                        durability.toString(),
                        new Figures()
                                .put("insert", comparison(ofIt, "insert_ms"))
                                .put("scan", comparison(ofIt, "scan_ms"))
                                .put("query", comparison(ofIt, "query_ms")));
            }
        }
        return summary;
    }

    private static Figures comparison(List<Figures> rows, String time) {
        double ours = best(rows, StoreKind.LARDER, time);
        Figures comparison = new Figures().put("larder_ms", ours);
        for (String store : StoreKind.STORES) {
            double theirs = best(rows, store, time);
            if (!store.equals(StoreKind.LARDER) && !Double.isNaN(theirs)) {
                comparison.put(store + "_over_larder", theirs / ours);
            }
        }
        Figures fastest = fastestDatabase(rows, time);
        return comparison
                .put("fastest_database", fastest == null ? null : name(fastest))
                .put("fastest_database_ms", fastest == null ? null : Double.valueOf(time(fastest, time)))
                .put(
                        "fastest_database_over_larder",
                        fastest == null ? null : Double.valueOf(time(fastest, time) / ours));
    }

    private static @Nullable Figures fastestDatabase(List<Figures> rows, String time) {
        return rows.stream()
                .filter(row -> StoreKind.isDatabase(row.text("store")))
                .min(Comparator.comparingDouble(row -> time(row, time)))
                .orElse(null);
    }

    private static double best(List<Figures> rows, String store, String time) {
        return Rows.where(rows, "store", store).stream()
                .mapToDouble(row -> time(row, time))
                .min()
                .orElse(Double.NaN);
    }

    /** Returns a time of a row; Larder's queries include their table. */
    private static double time(Figures row, String time) {
        boolean withIndex = time.equals("query_ms") && row.text("store").equals(StoreKind.LARDER);
        return withIndex ? row.number(time) + row.number("index_ms") : row.number(time);
    }

    /** Returns the name of a row's store, with its variant. */
    static String name(Figures row) {
        String variant = row.text("variant");
        return variant.isEmpty() ? row.text("store") : row.text("store") + " (" + variant + ")";
    }
}
