package dev.larder.lab.study;

import dev.larder.cli.Figures;
import dev.larder.lab.Experiment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An experiment with everything but the measurement in its {@link Study}. */
public abstract class DeclaredExperiment<O extends Record> implements Experiment {

    /** The options. */
    protected final O options;

    private final Study<O> study;

    /** An experiment of a study with its options. */
    protected DeclaredExperiment(Study<O> study, O options) {
        this.study = study;
        this.options = options;
    }

    @Override
    public final String name() {
        return study.name();
    }

    @Override
    public Figures options() {
        return Settings.figures(options);
    }

    @Override
    public final Figures files() {
        return Settings.files(options);
    }

    @Override
    public final long seed() {
        return Settings.find(options, "--seed") instanceof Long seed ? seed : 0;
    }

    @Override
    public final @Nullable Path directory() {
        return Settings.find(options, "--directory") instanceof Path directory ? directory : null;
    }
}
