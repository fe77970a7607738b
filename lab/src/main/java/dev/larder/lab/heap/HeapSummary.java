package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import dev.larder.lab.report.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the rows say, in figures that can be compared and in sentences; rows that prove nothing are not compared. */
final class HeapSummary {

    private static final String REGION = HeapSubject.REGION.name();
    private static final List<String> COMPARED =
            List.of("longest_pause_ms", "p99_us", "p999_us", "max_us", "cpu_cores", "memory_bytes");

    private final List<Figures> rows;

    HeapSummary(List<Figures> rows) {
        this.rows =
                rows.stream().filter(row -> "all".equals(row.get("operation"))).toList();
    }

    /** Returns how people call the subject of a row. */
    static String title(Figures row) {
        String subject = row.text("subject");
        return HeapSubject.names().contains(subject)
                ? HeapSubject.named(subject).title() + ", " + collector(row)
                : subject + ", " + collector(row);
    }

    private static String collector(Figures row) {
        return Collector.named(row.text("collector")).title();
    }

    /** Returns the sizes, shares of puts and phases that were measured: one stretch of the report each. */
    List<Figures> parts() {
        Set<Figures> parts = new LinkedHashSet<>();
        rows.stream().filter(HeapSummary::isMeasured).forEach(row -> parts.add(part(row)));
        return List.copyOf(parts);
    }

    /** The share is there where there were several. */
    private static Figures part(Figures row) {
        Figures part = new Figures().put("live_bytes", row.whole("live_bytes")).put("phase", row.text("phase"));
        return row.has("share")
                ? part.put("share", row.text("share")).put("writes_percent", row.number("writes_percent"))
                : part;
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

    /**
     * Returns {@code 1024MiB}, which a condition can name: {@code summary.1024MiB.steady.region-g1.p99_us>5000}; where there are
     * several shares of puts {@code 1024MiB-writes-50}.
     */
    static String size(Figures part) {
        return bytes(part) + (part.has("share") ? "-" + part.text("share") : "");
    }

    /** Returns {@code 1024MiB}. */
    static String bytes(Figures part) {
        return (part.whole("live_bytes") >> 20) + "MiB";
    }

    /** Returns the phase, after the share of puts where there are several, as people read it. */
    static String phase(Figures part) {
        return (part.has("share") ? share(part) + ", " : "") + part.text("phase");
    }

    private static String share(Figures row) {
        return Puts.text(row.number("writes_percent")) + " % puts";
    }

    /**
     * Returns the figures by size, phase and candidate; those compared also as multiples of what the values take outside
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
     * Returns the row outside the heap that others are compared with: the region's, else the map's; under G1 if there is.
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

    /** Returns what was found of a size and phase, a sentence each. */
    List<String> sentences(Figures part) {
        List<String> sentences = new ArrayList<>();
        rows(part).forEach(row -> sentences.add(row.flag("valid") ? sentence(row) : unknown(row)));
        sentences.addAll(besideG1(part));
        besideOffHeap(part).ifPresent(sentences::add);
        least(part).ifPresent(sentences::add);
        return sentences;
    }

    private static String unknown(Figures row) {
        return title(row) + ": cannot be told, the row is void: " + row.get("invalid_reason") + ".";
    }

    private static String sentence(Figures row) {
        String kept = row.flag("saturated")
                ? String.format(
                        Locale.ROOT,
                        " It did not keep up: %s answered of %s.",
                        Unit.PER_SECOND.text(row.number("answered_per_s")),
                        Unit.PER_SECOND.text(row.number("offered_per_s")))
                : "";
        return title(row) + ": the longest pause was " + Unit.MILLISECONDS.text(row.number("longest_pause_ms"))
                + ", 99.9 % of the answers came within " + Unit.MICROSECONDS.text(row.number("p999_us"))
                + ", all within " + Unit.MICROSECONDS.text(row.number("max_us"))
                + String.format(Locale.ROOT, "; it took %.2f processors", row.number("cpu_cores"))
                + (row.get("memory_bytes") == null ? "." : ", and " + memory(row) + ".")
                + kept;
    }

    private static String memory(Figures row) {
        return String.format(
                Locale.ROOT,
                "%s of memory, %.2f times the values",
                ByteSize.format(row.whole("memory_bytes")),
                row.number("memory_bytes") / row.number("live_bytes"));
    }

    /** What another collector changes for the same store. */
    private List<String> besideG1(Figures part) {
        List<String> sentences = new ArrayList<>();
        for (Figures base : validRows(part).stream().filter(HeapSummary::isG1).toList()) {
            validRows(part).stream()
                    .filter(row -> !isG1(row) && row.text("subject").equals(base.text("subject")))
                    .forEach(row ->
                            sentences.add(title(row) + ", beside the same with G1: " + multiples(row, base) + "."));
        }
        return sentences;
    }

    /** What the heap costs where it does best. */
    private Optional<String> besideOffHeap(Figures part) {
        Optional<Figures> best = least(part, "p999_us", row -> !isOffHeap(row));
        return offHeap(part)
                .flatMap(offHeap -> best.map(onHeap -> title(onHeap)
                        + ", the fastest on the heap at 99.9 %, beside "
                        + title(offHeap) + ": "
                        + multiples(onHeap, offHeap) + "."));
    }

    private static String multiples(Figures row, Figures base) {
        return Stream.of(
                        multiple("the longest pause", "longest_pause_ms", row, base),
                        multiple("the response time at 99.9 %", "p999_us", row, base),
                        multiple("the processor time", "cpu_cores", row, base),
                        multiple("the memory", "memory_bytes", row, base))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> multiple(String what, String name, Figures row, Figures base) {
        double ratio = row.number(name) / base.number(name);
        return Double.isFinite(ratio)
                ? Optional.of(String.format(Locale.ROOT, ratio < 0.095 ? "%.3f x %s" : "%.2f x %s", ratio, what))
                : Optional.empty();
    }

    private Optional<String> least(Figures part) {
        if (validRows(part).size() < 2) {
            return Optional.empty();
        }
        return Optional.of(Stream.of(
                        least(part, "shortest longest pause", "longest_pause_ms"),
                        least(part, "shortest response time at 99.9 %", "p999_us"),
                        least(part, "least processor time", "cpu_cores"),
                        least(part, "least memory", "memory_bytes"))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; ", "Of all: ", ".")));
    }

    private Optional<String> least(Figures part, String what, String name) {
        return least(part, name, row -> true).map(row -> what + ": " + title(row));
    }

    private Optional<Figures> least(Figures part, String name, Predicate<Figures> which) {
        return validRows(part).stream()
                .filter(which)
                .filter(row -> !Double.isNaN(row.number(name)))
                .min(Comparator.comparingDouble(row -> row.number(name)));
    }

    /** Returns what was not measured, and why. */
    List<String> notMeasured() {
        return rows.stream()
                .filter(row -> !isMeasured(row))
                .map(row -> title(row) + " with " + ByteSize.format(row.whole("live_bytes")) + " of values"
                        + (row.has("share") ? ", " + share(row) : "") + ": "
                        + (row.has("skipped_reason")
                                ? "skipped, " + row.get("skipped_reason")
                                : "failed, " + row.get("failed_reason")))
                .toList();
    }
}
