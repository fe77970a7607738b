package dev.larder.lab.run;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.result.LabException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Subjects by parameters by rounds, one measurement after another. Subjects take turns, and each round begins with another
 * one, so that none is always first, or behind a certain other.
 *
 * <pre>
 * round 0   parameter 1: a b c   parameter 2: a b c
 * round 1   parameter 1: b c a   parameter 2: b c a
 * </pre>
 *
 * <p>It ends when it is interrupted, or when there is no time for another round.
 */
public final class Matrix<S, P> {

    private final RunContext context;
    private final List<S> subjects;
    private final List<P> parameters;
    private final Cell<S, P> cell;
    private final List<Figures> samples = new ArrayList<>();
    private BiPredicate<S, P> isMeasured = (subject, parameter) -> true;
    private Function<Figures, @Nullable String> check = sample -> null;
    private BiFunction<String, Figures, String> words = (name, sample) -> name;
    private @Nullable Consumer<List<Figures>> beside;
    private @Nullable Function<P, Runnable> setting;
    private int warmUpRounds;
    private int rounds = 1;
    private int seconds = Integer.MAX_VALUE;
    private int steps;

    /** Measures one subject under one parameter in a round; the numbers of rounds that only warm up are below zero. */
    @FunctionalInterface
    public interface Cell<S, P> {

        /** Returns the sample; null where there is none. */
        @Nullable
        Figures measure(S subject, P parameter, int round);
    }

    /** One round of all subjects under all parameters. */
    public Matrix(RunContext context, List<S> subjects, List<P> parameters, Cell<S, P> cell) {
        this.context = context;
        this.subjects = subjects;
        this.parameters = List.copyOf(parameters);
        this.cell = cell;
    }

    /** Sets how many rounds there are, and how many before them do not count. */
    public Matrix<S, P> rounds(int warmUp, int count) {
        warmUpRounds = warmUp;
        rounds = count;
        return this;
    }

    /** Begins no round that would not end within so many seconds; the first one that counts is always measured. */
    public Matrix<S, P> within(int most) {
        seconds = most;
        return this;
    }

    /** Leaves out what is not to be measured. */
    public Matrix<S, P> where(BiPredicate<S, P> condition) {
        isMeasured = condition;
        return this;
    }

    /** Has all rounds under one parameter before the next parameter; what begins it, and returns what ends it. */
    public Matrix<S, P> byParameter(Function<P, Runnable> beginning) {
        setting = beginning;
        return this;
    }

    /** Adds to the samples of a round what was measured beside them; they are kept after that. */
    public Matrix<S, P> beside(Consumer<List<Figures>> addition) {
        beside = addition;
        return this;
    }

    /** Checks each sample: the text is why it voids the run, which ends then; null where it does not. */
    public Matrix<S, P> checked(Function<Figures, @Nullable String> reason) {
        check = reason;
        return this;
    }

    /** Says in words what a sample shows, for the progress, given the names of its subject and its parameter. */
    public Matrix<S, P> told(BiFunction<String, Figures, String> text) {
        words = text;
        return this;
    }

    /** Returns the samples so far of rounds that count, which are in the result folder as well. */
    public List<Figures> samples() {
        return samples;
    }

    /**
     * Measures.
     *
     * @throws LabException with the reason why a sample voids the run
     */
    public void run() {
        Function<P, Runnable> beginning = setting;
        if (beginning == null) {
            rounds(parameters);
            return;
        }
        for (P parameter : parameters) {
            Runnable end = beginning.apply(parameter);
            rounds(List.of(parameter));
            end.run();
        }
    }

    private void rounds(List<P> wanted) {
        RoundTime time = new RoundTime(seconds);
        for (int round = -warmUpRounds; round < rounds && time.allowsAnother(); round++) {
            long start = System.nanoTime();
            for (P parameter : wanted) {
                turns(parameter, round);
            }
            time.took(round, System.nanoTime() - start);
        }
    }

    private void turns(P parameter, int round) {
        List<Figures> own = new ArrayList<>();
        for (int turn = 0; turn < subjects.size() && !context.interruption().isInterrupted(); turn++) {
            S subject = subjects.get(Math.floorMod(turn + round, subjects.size()));
            if (isMeasured.test(subject, parameter)) {
                measure(subject, parameter, round, own);
            }
        }
        if (beside != null && !own.isEmpty()) {
            beside.accept(own);
            keep(own);
        }
    }

    private void measure(S subject, P parameter, int round, List<Figures> own) {
        String name = subject + ", " + parameter;
        context.progress().step(steps, all(), name);
        Figures sample = cell.measure(subject, parameter, round);
        if (sample != null && round >= 0) {
            own.add(sample);
        }
        context.progress().step(++steps, all(), sample == null ? name : words.apply(name, sample));
        if (beside == null && round >= 0 && sample != null) {
            keep(List.of(sample));
        }
    }

    private void keep(List<Figures> measured) {
        samples.addAll(measured);
        measured.forEach(context.folder()::addSample);
        for (Figures sample : measured) {
            String reason = check.apply(sample);
            if (reason != null) {
                throw new LabException(reason);
            }
        }
    }

    private int all() {
        long cells = subjects.stream()
                .flatMap(subject -> parameters.stream().filter(parameter -> isMeasured.test(subject, parameter)))
                .count();
        return (int) cells * (warmUpRounds + rounds);
    }
}
