package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Runs one search after the other on the calling thread, in passes over all tasks, each in a new random order: the next
 * begins when the last ends.
 */
final class ClosedLoop {

    private static final double MICRO = 1e3;
    private static final double SECOND = 1e9;

    /** One run of the control for so many searches: a few percent of the time. */
    private static final int SEARCHES_PER_CONTROL = 4;

    private final SearchTasks tasks;
    private final SearchService service;
    private final Shuffle order;
    private final boolean strict;
    private final long[] nanos;
    private final long[] counts;
    private final ProcessorControl control = new ProcessorControl();
    private long controlNanos;
    private long controls;
    private long searches;

    /**
     * A loop.
     *
     * @param seed of the order of the tasks
     * @param strict whether a wrong answer ends it
     */
    ClosedLoop(SearchTasks tasks, SearchService service, long seed, boolean strict) {
        this.strict = strict;
        this.tasks = tasks;
        this.service = service;
        this.order = new Shuffle(tasks.count(), new SplittableRandom(seed));
        this.nanos = new long[tasks.kinds().size()];
        this.counts = new long[tasks.kinds().size()];
    }

    /** Searches for so long, and may stop within a pass. */
    ClosedLoop runPart(double seconds) throws IOException {
        long end = System.nanoTime() + (long) (seconds * SECOND);
        while (end - System.nanoTime() > 0) {
            search();
        }
        return this;
    }

    /** Searches to the end of the pass, so that each kind has the same tasks whichever server is faster. */
    ClosedLoop finish() throws IOException {
        while (searches == 0 || !order.isPassDone()) {
            search();
        }
        return this;
    }

    private void search() throws IOException {
        if (searches++ % SEARCHES_PER_CONTROL == 0) {
            control();
        }
        int task = order.next();
        int kind = tasks.kind(task);
        long start = System.nanoTime();
        boolean right = service.isRight(task, tasks.task(task));
        nanos[kind] += System.nanoTime() - start;
        counts[kind]++;
        if (!right && strict) {
            throw new LabException("task " + task + " found something else than before: " + tasks.task(task));
        }
    }

    private void control() {
        long start = System.nanoTime();
        int accepted = control.run();
        controlNanos += System.nanoTime() - start;
        controls++;
        if (accepted != ProcessorControl.ACCEPTED) {
            throw new LabException("the control accepted " + accepted + " words of " + ProcessorControl.ACCEPTED);
        }
    }

    double perSecond() {
        long all = 0;
        long count = 0;
        for (int kind = 0; kind < nanos.length; kind++) {
            all += nanos[kind];
            count += counts[kind];
        }
        return count / (all / SECOND);
    }

    /**
     * Returns {@code passes}, {@code per_s}, and in {@code kinds} the mean times of each kind and of the control, in
     * microseconds.
     */
    Figures figures() {
        Figures kinds = new Figures();
        for (int kind = 0; kind < tasks.updateKind(); kind++) {
            kinds.put(tasks.kinds().get(kind), nanos[kind] / MICRO / counts[kind]);
        }
        kinds.put(ProcessorControl.KIND, controlNanos / MICRO / controls);
        return new Figures()
                .put("passes", searches / tasks.count())
                .put("per_s", perSecond())
                .put("kinds", kinds);
    }
}
