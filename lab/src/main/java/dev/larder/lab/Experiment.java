package dev.larder.lab;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A claim that can be measured: its options, its measurement, its pictures. */
public interface Experiment {

    /** Returns the word after {@code larder lab}. */
    String name();

    /** Returns the options as they stand in the result. */
    Figures options();

    /** Returns what tells the files that the run reads from others of the same name; nothing where it reads none. */
    default Figures files() {
        return new Figures();
    }

    /** Returns the seed of everything random in the run. */
    long seed();

    /** Returns where the data of a run shall go; null for its result folder. */
    default @Nullable Path directory() {
        return null;
    }

    /** Returns where the data of a run goes, given its result folder: elsewhere each run has a folder of its own. */
    default Path dataDirectory(Path folder) {
        Path directory = directory();
        return directory == null
                ? folder.resolve("data")
                : directory
                        .toAbsolutePath()
                        .resolve("larder-lab-" + ProcessHandle.current().pid());
    }

    /**
     * Returns whether a run goes on where an earlier one of the same options, seed and revision was interrupted; then its
     * samples are in {@link RunContext#finished}.
     */
    default boolean continues() {
        return false;
    }

    /**
     * Measures.
     *
     * @throws LabException when it cannot be run here, before anything was measured
     */
    Findings run(RunContext context);

    /** Returns the result as it is shown. */
    Report report(Figures result);
}
