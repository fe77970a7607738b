package dev.larder.lab;

import dev.larder.cli.Figures;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;
import java.util.List;

/**
 * What a running experiment may use.
 *
 * @param folder of the result
 * @param data directory that is the experiment's own, removed after the run unless the data is kept
 * @param progress to report to
 * @param interruption to look at between steps
 * @param finished samples of an earlier, interrupted run, which need not be measured again
 */
public record RunContext(
        ResultFolder folder, Path data, Progress progress, Interruption interruption, List<Figures> finished) {

    /** Copies the samples. */
    public RunContext {
        finished = List.copyOf(finished);
    }

    /** Returns the same with its data in another directory. */
    public RunContext on(Path elsewhere) {
        return new RunContext(folder, elsewhere, progress, interruption, finished);
    }
}
