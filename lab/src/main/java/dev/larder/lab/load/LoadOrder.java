package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.run.Finished;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * The loads of a run, subject after subject. Valid rows of an earlier run are reused. A subject that cannot be measured
 * leaves a row that says so, and the next one begins.
 */
public final class LoadOrder {

    private final RunContext context;
    private final Finished finished;
    private final int steps;
    private final List<Figures> rows = new ArrayList<>();
    private int done;

    /** An order of so many steps: loads, and single measurements before them. */
    public LoadOrder(RunContext context, int steps) {
        this.context = context;
        this.steps = steps;
        finished = new Finished(context.folder(), context.finished());
    }

    /** Returns the rows so far. */
    public List<Figures> rows() {
        return rows;
    }

    /** Measures a subject, unless the user ends the run. */
    public void subject(String title, Figures subject, Runnable measurement) {
        if (isInterrupted()) {
            return;
        }
        try {
            measurement.run();
        } catch (LarderException e) {
            if (!isInterrupted()) {
                rows.add(RunRows.notMeasured(context.progress(), title, subject, e));
            }
        }
    }

    /** Reuses loads if an earlier run has left all of them, each with its key; returns whether it has. */
    public boolean takesAll(Collection<Figures> keys) {
        List<Figures> left =
                keys.stream().flatMap(key -> finished.findValid(key).stream()).toList();
        boolean isAll = left.size() == keys.size();
        if (isAll) {
            left.forEach(this::take);
        }
        return isAll;
    }

    /** Measures a load that no earlier run has left, unless the user ends the run. */
    public void load(String title, Figures key, Supplier<List<Figures>> measurement) {
        if (isInterrupted()) {
            return;
        }
        begin(title);
        Figures sample = finished.findValid(key).orElseGet(() -> finished.add(key.put("rows", measurement.get())));
        take(sample);
        begin(title + ": " + RunRows.words(sample.rows("rows").getFirst()));
    }

    /** Shows the current step. */
    public void begin(String text) {
        context.progress().step(done, steps, text);
    }

    private void take(Figures sample) {
        rows.addAll(sample.rows("rows"));
        done++;
    }

    /** Returns the samples; measurements beside the loads are added to them. */
    public Finished finished() {
        return finished;
    }

    /** Shows the end of a step other than a load. */
    public void step(String text) {
        context.progress().step(++done, steps, text);
    }

    private boolean isInterrupted() {
        return context.interruption().isInterrupted();
    }
}
