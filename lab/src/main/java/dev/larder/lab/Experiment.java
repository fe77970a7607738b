package dev.larder.lab;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A measurable claim, with its options, its measurement and its charts. */
public interface Experiment {

    /** Returns the word after {@code larder lab}. */
    String name();

    /** Returns the options as the result states them. */
    Figures options();

    /** Returns figures that identify the files that the run reads; empty if it reads none. */
    default Figures files() {
        return new Figures();
    }

    /** Returns the seed of everything random in the run. */
    long seed();

    /** Returns the directory for a run's data; null for its result folder. */
    default @Nullable Path directory() {
        return null;
    }

    /** Returns where a run's data goes: outside the result folder, each run has a folder of its own. */
    default Path dataDirectory(Path folder) {
        Path directory = directory();
        return directory == null
                ? folder.resolve("data")
                : directory
                        .toAbsolutePath()
                        .resolve("larder-lab-" + ProcessHandle.current().pid());
    }

    /**
     * Returns whether a run continues an interrupted one of the same options, seed and revision, whose samples are then
     * in {@link RunContext#finished}.
     */
    default boolean continues() {
        return false;
    }

    /**
     * Measures.
     *
     * @throws LabException if it cannot run on this machine; nothing was measured then
     */
    Findings run(RunContext context);

    /** Returns the report of a result. */
    Report report(Figures result);
}
