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
 * Measures subjects by parameters by rounds, one after another. Subjects take turns, and each round begins with another one,
 * so that none is always first, or always follows the same one.
 *
 * <pre>
 * round 0   parameter 1: a b c   parameter 2: a b c
 * round 1   parameter 1: b c a   parameter 2: b c a
 * </pre>
 *
 * <p>It ends when interrupted, or when there is no time for another round.
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

    /** Measures one subject under one parameter in a round; warm-up rounds have negative numbers. */
    @FunctionalInterface
    public interface Cell<S, P> {

        /** Returns the sample; null if there is none. */
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

    /** Sets the number of rounds, and of warm-up rounds before them. */
    public Matrix<S, P> rounds(int warmUp, int count) {
        warmUpRounds = warmUp;
        rounds = count;
        return this;
    }

    /** Begins no round that would not end within so many seconds; the first that counts is always measured. */
    public Matrix<S, P> within(int most) {
        seconds = most;
        return this;
    }

    /** Measures only where a condition holds. */
    public Matrix<S, P> where(BiPredicate<S, P> condition) {
        isMeasured = condition;
        return this;
    }

    /** Runs all rounds of a parameter before the next; {@code beginning} sets it up, and returns its end. */
    public Matrix<S, P> byParameter(Function<P, Runnable> beginning) {
        setting = beginning;
        return this;
    }

    /** Adds measurements beside the samples of a round to them, before they are kept. */
    public Matrix<S, P> beside(Consumer<List<Figures>> addition) {
        beside = addition;
        return this;
    }

    /** Checks each sample: the text says why it voids and ends the run; null if it does not. */
    public Matrix<S, P> checked(Function<Figures, @Nullable String> reason) {
        check = reason;
        return this;
    }

    /** Describes a sample for the progress, given the names of its subject and its parameter. */
    public Matrix<S, P> told(BiFunction<String, Figures, String> text) {
        words = text;
        return this;
    }

    /** Returns the samples so far of rounds that count, which the result folder also has. */
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
            if (context.interruption().isInterrupted()) {
                return; // a parameter starts processes
            }
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
