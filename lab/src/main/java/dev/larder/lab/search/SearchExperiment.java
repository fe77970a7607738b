package dev.larder.lab.search;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.load.SkippedException;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.process.Collector;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.Directories;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast a Lucene index answers in different directories. It measures response times of searches and updates
 * from light load to saturation, or the throughput of one search after the other.
 */
public final class SearchExperiment extends DeclaredExperiment<SearchOptions> {

    /** Its declaration. */
    public static final Study<SearchOptions> STUDY = new Study<>(
            "search",
            SearchOptions.class,
            SearchExperiment::new,
            "How fast Lucene searches an index under load, in mapped files, on the heap and in Larder.",
            "Sends searches and updates at planned times to one server after another. Finds the rate at which each "
                    + "saturates, and measures below it. With --throughput, runs one search after another, in forks "
                    + "that take turns.");

    private static final String REMEDY = "Use fewer --docs, or a smaller --heap, or leave out bytebuffers (--subjects)";

    private final Class<?> main;

    /** The experiment with its options. */
    public SearchExperiment(SearchOptions options) {
        this(options, SearchTarget.class);
    }

    /** The experiment with the caller's server. */
    SearchExperiment(SearchOptions options, Class<?> main) {
        super(STUDY, options);
        this.main = main;
    }

    /** Returns its main classes that may run on another host, by part. */
    public static Map<String, Class<?>> parts() {
        return Map.of(SearchRun.PART, SearchGenerator.class);
    }

    @Override
    public boolean continues() {
        return true;
    }

    @Override
    public Findings run(RunContext context) {
        Path named = options.index().directory();
        IndexPlace place = new IndexPlace(named == null ? context.folder().claim("index") : named.toAbsolutePath());
        SearchFiles files = build(place, context);
        if (files == null) {
            return new Findings(new Figures(), JavaProcess.facts(), null);
        }
        Findings findings = measure(files, context);
        boolean complete = !context.interruption().isInterrupted() && findings.invalidReason() == null;
        if (named == null && complete && !options.keep()) {
            Directories.delete(place.directory()); // an incomplete run can resume with it
        }
        return findings;
    }

    private @Nullable SearchFiles build(IndexPlace place, RunContext context) {
        try {
            return place.build(options, context);
        } catch (LarderException e) {
            if (context.interruption().isInterrupted()) {
                return null;
            }
            throw e;
        }
    }

    private Findings measure(SearchFiles files, RunContext context) {
        List<Figures> rows = new ArrayList<>();
        List<SearchCandidate> candidates = candidates(files, context, rows);
        disk(files).check(context.data());
        Figures figures =
                new Figures().put("index", files.facts()).put("disk_read", SequentialRead.of(files.directory()));
        try (WarmMemory memory = new WarmMemory(takenBytes(candidates, files))) {
            SearchConditions conditions = new SearchConditions(options, files, memory, main, context);
            if (options.forks() == null) {
                rows.addAll(0, loads(conditions, candidates, figures));
                figures.put("runs", rows).put("summary", new SearchSummary(figures).figures());
            } else {
                rows.addAll(0, new ThroughputRun(conditions, options.forks().count()).run(candidates, figures));
                figures.put("runs", rows);
                rows.addAll(0, figures.rows("forks"));
            }
        }
        boolean interrupted = context.interruption().isInterrupted();
        return new Findings(figures, JavaProcess.facts(), interrupted ? null : SearchRun.invalidReason(rows));
    }

    private static List<Figures> loads(SearchConditions conditions, List<SearchCandidate> candidates, Figures figures) {
        try (SearchRun run = new SearchRun(conditions, candidates.size())) {
            List<Figures> rows = run.run(candidates);
            figures.putAll(run.figures());
            return rows;
        }
    }

    /** Returns the largest server's memory; 0 if servers have their own limit, or the run is short. */
    private long takenBytes(List<SearchCandidate> candidates, SearchFiles files) {
        return options.beside().pressure() || options.isShort()
                ? 0
                : candidates.stream()
                        .mapToLong(candidate -> candidate.takenBytes(files.bytes()))
                        .max()
                        .orElse(0);
    }

    /** Skips candidates that do not fit here, with the sum, and those of a missing collector, with the reason. */
    private List<SearchCandidate> candidates(SearchFiles files, RunContext context, List<Figures> skipped) {
        List<SearchCandidate> candidates = new ArrayList<>();
        for (Collector collector : options.collectors()) {
            String missing = collector.missingReason();
            for (SearchDirectory directory : options.subjects()) {
                SearchCandidate candidate = new SearchCandidate(directory, collector, heapBytes(directory, files));
                String reason = missing == null ? refusal(candidate, files) : missing;
                if (reason == null) {
                    candidates.add(candidate);
                } else {
                    SkippedException why = new SkippedException(reason);
                    skipped.add(RunRows.notMeasured(context.progress(), candidate.title(), candidate.figures(), why));
                }
            }
        }
        return candidates;
    }

    /** Returns the heap, in whole 2 MiB. */
    private long heapBytes(SearchDirectory directory, SearchFiles files) {
        long bytes = directory.onHeap() ? onHeapBytes(files) : options.heapBytes();
        return (bytes + (2L << 20) - 1) & -(2L << 20);
    }

    /**
     * With only 1.5 times the index above the heap of the others, ByteBuffersDirectory does not reach its first search.
     * Blocks are not full, and a growing file is copied into larger ones.
     */
    private long onHeapBytes(SearchFiles files) {
        Long given = options.onHeapBytes();
        return given == null ? options.heapBytes() + 2 * files.bytes() : given;
    }

    /** Returns why a candidate does not fit here; null if it does. */
    private @Nullable String refusal(SearchCandidate candidate, SearchFiles files) {
        try {
            candidate.memory(files.bytes()).check(candidate.title(), REMEDY);
        } catch (LarderException e) {
            return e.getMessage();
        }
        long limit = Pressure.limitBytes(options.heapBytes(), files.bytes());
        return options.beside().pressure() && candidate.heapBytes() >= limit
                ? "its heap of " + ByteSize.format(candidate.heapBytes()) + " passes the memory limit of "
                        + ByteSize.format(limit)
                : null;
    }

    private Budget disk(SearchFiles files) {
        Budget disk = new Budget();
        if (options.beside().updates() && options.forks() == null) {
            disk.add("what updates and merges write", files.bytes() / 2);
        }
        if (options.beside().pressure()) {
            long limit = Pressure.limitBytes(options.heapBytes(), files.bytes());
            disk.add("copy of the index", files.bytes()).add("the companion's files", Pressure.fileBytes(limit));
        }
        return disk;
    }

    @Override
    public Report report(Figures result) {
        return new SearchReport(result).report();
    }
}
