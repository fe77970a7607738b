package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rows in comparable figures; void rows are not compared. */
final class HeapSummary {

    private static final String REGION = HeapSubject.REGION.name();
    private static final List<String> COMPARED =
            List.of("longest_pause_ms", "p99_us", "p999_us", "max_us", "cpu_cores", "memory_bytes");

    private final List<Figures> rows;

    HeapSummary(List<Figures> rows) {
        this.rows =
                rows.stream().filter(row -> "all".equals(row.get("operation"))).toList();
    }

    /** Returns the subject of a row, for people. */
    static String title(Figures row) {
        String subject = row.text("subject");
        return HeapSubject.names().contains(subject)
                ? HeapSubject.named(subject).title() + ", " + collector(row)
                : subject + ", " + collector(row);
    }

    private static String collector(Figures row) {
        return Collector.named(row.text("collector")).title();
    }

    /** Returns the measured sizes and phases, each one section of the report. */
    List<Figures> parts() {
        Set<Figures> parts = new LinkedHashSet<>();
        rows.stream().filter(HeapSummary::isMeasured).forEach(row -> parts.add(part(row)));
        return List.copyOf(parts);
    }

    private static Figures part(Figures row) {
        return new Figures().put("live_bytes", row.whole("live_bytes")).put("phase", row.text("phase"));
    }

    private static boolean isMeasured(Figures row) {
        return row.has("phase");
    }

    /** Returns the rows of a part. */
    List<Figures> rows(Figures part) {
        return rows.stream()
                .filter(row -> isMeasured(row) && part(row).equals(part))
                .toList();
    }

    private List<Figures> validRows(Figures part) {
        return rows(part).stream().filter(row -> row.flag("valid")).toList();
    }

    /** Returns {@code 1024MiB}, as in a condition: {@code summary.1024MiB.steady.region-g1.p99_us>5000}. */
    static String size(Figures part) {
        return (part.whole("live_bytes") >> 20) + "MiB";
    }

    /**
     * Returns the figures by size, phase and candidate; compared ones also as multiples of the figures with values outside
     * the heap ({@code p99_us_over_off_heap}).
     */
    Figures figures() {
        Figures bySize = new Figures();
        for (Figures part : parts()) {
            Figures byPhase = bySize.part(size(part));
            bySize.put(size(part), byPhase.put(part.text("phase"), figures(part)));
        }
        return bySize;
    }

    private Figures figures(Figures part) {
        Optional<Figures> offHeap = offHeap(part);
        Figures byCandidate = new Figures();
        for (Figures row : validRows(part)) {
            Figures figures = new Figures();
            COMPARED.forEach(name -> figures.put(name, row.get(name)));
            figures.put("memory_over_live", row.number("memory_bytes") / row.number("live_bytes"));
            offHeap.filter(reference -> !title(reference).equals(title(row)))
                    .ifPresent(reference -> COMPARED.forEach(
                            name -> figures.put(name + "_over_off_heap", row.number(name) / reference.number(name))));
            byCandidate.put(row.text("subject") + "-" + row.text("collector"), figures);
        }
        return byCandidate;
    }

    /**
     * Returns the baseline row, outside the heap: the region's, else the map's; under G1 if there is one.
     */
    private Optional<Figures> offHeap(Figures part) {
        return validRows(part).stream()
                .filter(HeapSummary::isOffHeap)
                .min(Comparator.comparing((Figures row) -> !isRegion(row)).thenComparing(row -> !isG1(row)));
    }

    private static boolean isOffHeap(Figures row) {
        return isRegion(row) || HeapSubject.LARDER.name().equals(row.get("subject"));
    }

    private static boolean isRegion(Figures row) {
        return REGION.equals(row.get("subject"));
    }

    private static boolean isG1(Figures row) {
        return Collector.G1.toString().equals(row.get("collector"));
    }

    /** Returns the figures of a part's candidates, each with its name; compared ones as multiples. */
    List<Figures> multiples(Figures part) {
        Figures byCandidate = figures(part);
        return validRows(part).stream()
                .map(row -> new Figures()
                        .put("candidate", title(row))
                        .putAll(byCandidate.part(row.text("subject") + "-" + row.text("collector"))))
                .toList();
    }

    /** Returns which rows of a part are void, and why. */
    List<String> voids(Figures part) {
        return rows(part).stream()
                .filter(row -> !row.flag("valid"))
                .map(row -> title(row) + ": the row is void: " + row.get("invalid_reason") + ".")
                .toList();
    }
}
