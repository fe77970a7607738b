package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.Findings;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.load.LoadOrder;
import dev.larder.lab.load.SkippedException;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.process.Collector;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.report.Report;
import dev.larder.lab.study.DeclaredExperiment;
import dev.larder.lab.study.Study;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures the cost of a big heap under each collector: pauses, response times, processors and memory of a service.
 * The service runs with its values on the heap, and with its values outside.
 */
public final class HeapExperiment extends DeclaredExperiment<HeapOptions> {

    /** Its declaration. */
    public static final Study<HeapOptions> STUDY = new Study<>(
            "heap",
            HeapOptions.class,
            HeapExperiment::new,
            "Pauses of a large heap, and the processors and memory that each collector takes to avoid them.",
            "Sends gets and puts of 1700 bytes at planned times. One process has its values on the heap, under each "
                    + "collector; another has them outside it. Then repeats both beside a bulk load.");

    private static final String REMEDY = "Use a smaller --live or --heap-factor, or --subjects region";

    private final List<HeapSubject> subjects;
    private final Map<Collector, String> missingCollectors = new EnumMap<>(Collector.class);

    /** The experiment with its options. */
    public HeapExperiment(HeapOptions options) {
        this(options, options.subjects().stream().map(HeapSubject::named).toList());
    }

    /** The experiment with the caller's subjects. */
    HeapExperiment(HeapOptions options, List<HeapSubject> subjects) {
        super(STUDY, options);
        this.subjects = List.copyOf(subjects);
    }

    @Override
    public Figures options() {
        return options.figures();
    }

    @Override
    public boolean continues() {
        return true;
    }

    private List<Candidate> candidates() {
        List<Candidate> candidates = new ArrayList<>();
        for (long live : options.liveBytes()) {
            subjects.forEach(subject -> candidates.addAll(candidates(subject, live)));
        }
        return candidates;
    }

    private List<Candidate> candidates(HeapSubject subject, long live) {
        long heap =
                subject.onHeap() ? options.heaps().bytes(live) : options.heaps().smallHeapBytes();
        return (subject.onHeap()
                        ? options.heaps().collectors()
                        : options.heaps().offHeapCollectors())
                .stream()
                        .map(collector -> new Candidate(
                                subject,
                                collector,
                                live,
                                heap,
                                options.requests().writesPercent()))
                        .toList();
    }

    /** Refuses a candidate that cannot start. */
    private void require(Candidate candidate) {
        candidate.subject().require();
        String reason = missingCollectors.computeIfAbsent(
                candidate.collector(), collector -> Objects.requireNonNullElse(collector.missingReason(), ""));
        if (!reason.isEmpty()) {
            throw new SkippedException(reason);
        }
    }

    @Override
    public Findings run(RunContext context) {
        checkMemory(context);
        disk().check(context.data());
        List<Candidate> candidates = candidates();
        int steps = candidates.size() * options.requests().phases().size();
        LoadOrder order = new LoadOrder(context, steps);
        try (LoadGenerator generator = new LoadGenerator(
                context, LoadGenerator.Where.here(options.requests().perSecond()))) {
            HeapRun run = new HeapRun(options, context, generator, order);
            candidates.forEach(candidate -> order.subject(candidate.title(), candidate.figures(), () -> {
                require(candidate);
                run.run(candidate);
            }));
            Figures figures = new Figures()
                    .put("generator_priority", generator.priority())
                    .put("summary", new HeapSummary(order.rows()).figures())
                    .put("runs", order.rows());
            boolean interrupted = context.interruption().isInterrupted();
            return new Findings(figures, JavaProcess.facts(), interrupted ? null : HeapRun.invalidReason(order.rows()));
        }
    }

    private void checkMemory(RunContext context) {
        for (Candidate candidate : candidates()) {
            candidate.memory(options).check(candidate.title() + " with " + candidate.values(), REMEDY);
        }
        candidates().stream()
                .map(candidate -> candidate.memory(options))
                .max(Comparator.comparingLong(Budget::totalBytes))
                .ifPresent(most -> context.progress()
                        .line("needs up to " + ByteSize.format(most.totalBytes()) + " of memory: " + most));
    }

    private Budget disk() {
        long responses =
                Candidate.responseBytes(options) * options.requests().phases().size();
        return new Budget()
                .add("responses", options.keep() ? responses * candidates().size() : responses);
    }

    @Override
    public Report report(Figures result) {
        return new HeapReport(result).report();
    }
}
